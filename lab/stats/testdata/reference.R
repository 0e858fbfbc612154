# Writes reference.txt, the figures that the tests of lab/stats are held
# against. Needs base R alone (Debian: apt-get install r-base-core):
#
#   Rscript reference.R > reference.txt
#
# A line is a kind of figure, what it was computed from, and what R says, as
# name=number,number... with 17 digits.

options(warn = 1)
set.seed(20240229)
num <- function(x) paste(sprintf("%.17g", as.numeric(x)), collapse = ",")
line <- function(.what, ...) {
  a <- list(...)
  cat(.what, paste0(names(a), "=", vapply(a, num, "")), sep = " ")
  cat("\n")
}
cat("#", R.version.string, "\n")

# Distributions.
for (df in c(1, 2, 3.7, 9, 19, 29.5, 100, 999))
  for (t in c(-3, 0, 0.1, 1, 2.5, 8))
    line("t.tail", t = t, df = df, p = pt(t, df, lower.tail = FALSE))
for (df in c(1, 2, 3.7, 9, 19, 100, 999, 1e6))
  for (q in c(0.4, 0.1, 0.025, 0.005, 0.025 / 20, 1e-6, 1e-9))
    line("t.upper", q = q, df = df, t = qt(q, df, lower.tail = FALSE))
for (p in c(1e-12, 1e-6, 0.0005, 0.002, 0.025, 0.3, 0.5, 0.8, 0.999))
  line("normal", p = p, z = qnorm(p))
for (f in c(0.2, 1, 3.3, 12))
  for (d in list(c(1, 8), c(2, 36), c(4, 100), c(9, 3)))
    line("f.tail", f = f, df1 = d[1], df2 = d[2], p = pf(f, d[1], d[2], lower.tail = FALSE))
for (df in c(1, 2, 5, 9, 19, 49, 199, 999))
  for (delta in c(0, 0.5, 2, 3.3, 6))
    for (t in c(-2.1, 0.4, 2.09, 4.5))
      line("nct", t = t, df = df, delta = delta, low = pt(t, df, delta),
           high = pt(t, df, delta, lower.tail = FALSE))

# One sample of differences.
samples <- list(
  rnorm(2, 0.01, 0.02), rnorm(5, 0, 0.02), rnorm(6, 0.03, 0.02), rnorm(10, -0.02, 0.02),
  rnorm(20, 0.01, 0.02), rnorm(31, 0, 1) + (runif(31) < 0.1) * 5, rexp(49) - 1, rnorm(100, 0.2, 1),
  c(1e6 + rnorm(12)))
for (d in samples) {
  for (level in c(0.95, 1 - 0.05 / 20)) {
    r <- t.test(d, conf.level = level)
    line("paired.t", d = d, level = level, mean = r$estimate, se = r$stderr, df = r$parameter,
         ci = r$conf.int, p = r$p.value)
  }
  m <- 0.02
  low <- t.test(d, mu = -m, alternative = "greater")$p.value
  high <- t.test(d, mu = m, alternative = "less")$p.value
  line("tost", d = d, margin = m, above = low, below = high, p = max(low, high))
  line("summary", d = d, q = quantile(d, c(0, 0.25, 0.5, 0.75, 1)), mean = mean(d), sd = sd(d), mad = mad(d, constant = 1))
}

# Signed rank and Hodges-Lehmann, exact: no ties, no zeros.
for (d in samples[3:8]) {
  for (level in c(0.95, 0.99)) {
    if (2 * psignrank(0, length(d)) > 1 - level) next
    r <- wilcox.test(d, exact = TRUE, conf.int = TRUE, conf.level = level)
    line("signed.exact", d = d, level = level, v = r$statistic, p = r$p.value, est = r$estimate, ci = r$conf.int)
  }
}
# Exact with ties: every choice of signs, by hand.
for (d in list(c(1, 1, 2, -2, 3, 3, 3, -1), c(0, 2, 2, -1, 4, 4, 5, 0, -2), c(1, 1, 1, 1, 1, 1))) {
  x <- d[d != 0]
  r <- rank(abs(x))
  w <- as.matrix(expand.grid(rep(list(0:1), length(x)))) %*% r
  v <- sum(r[x > 0])
  line("signed.ties", d = d, v = v, p = min(1, 2 * min(mean(w <= v), mean(w >= v))))
}
# The approximation, with ties.
for (d in list(round(rnorm(130, 0.2), 1), round(rnorm(400, 0.1), 2))) {
  r <- wilcox.test(d, exact = FALSE, correct = TRUE)
  line("signed.approx", d = d, v = r$statistic, p = r$p.value)
}
for (n in c(6, 7, 10, 15, 20, 30, 50, 77, 100, 101, 150, 400))
  for (alpha in c(0.05, 0.01, 0.05 / 20)) {
    c <- qsignrank(alpha / 2, n)
    line("signed.critical", n = n, alpha = alpha, c = c)
  }

# Two samples.
pairs <- list(
  list(rnorm(5, 1), rnorm(4)), list(rnorm(10, 0.5), rnorm(12)), list(rnorm(30), rnorm(8, 0, 3)),
  list(rexp(45), rexp(49)))
for (p in pairs) {
  b <- p[[1]]; a <- p[[2]]
  r <- t.test(b, a)
  line("welch", b = b, a = a, mean = r$estimate[1] - r$estimate[2], se = r$stderr, df = r$parameter,
       ci = r$conf.int, p = r$p.value)
  r <- wilcox.test(b, a, exact = TRUE, conf.int = TRUE)
  line("ranksum.exact", b = b, a = a, u = r$statistic, p = r$p.value, est = r$estimate, ci = r$conf.int)
}
for (p in list(list(round(rnorm(20), 1), round(rnorm(25, 0.5), 1)), list(rnorm(60), rnorm(70, 0.3)), list(c(1, 1, 2), c(1, 2, 2, 3)))) {
  r <- wilcox.test(p[[1]], p[[2]], exact = FALSE, correct = TRUE)
  line("ranksum.approx", b = p[[1]], a = p[[2]], u = r$statistic, p = r$p.value)
}

# Holm.
for (p in list(c(0.01, 0.04, 0.03, 0.005), c(0.2), c(0.02, 0.02, 0.02), runif(20)^3, c(0.6, 0.9, 0.0001)))
  line("holm", p = p, adjusted = p.adjust(p, "holm"))

# Power of the paired t test, and of two one-sided tests by integration over
# the sample's spread, which R has no function for.
for (n in c(2, 5, 10, 20, 60))
  for (effect in c(0.2, 0.7, 1.5))
    for (alpha in c(0.05, 0.05 / 20))
      line("power.t", n = n, effect = effect, alpha = alpha,
           power = power.t.test(n = n, delta = effect, sd = 1, sig.level = alpha, type = "paired", strict = TRUE)$power)
for (effect in c(0.35, 0.7, 1.4))
  for (power in c(0.8, 0.99))
    line("pairs.t", effect = effect, alpha = 0.05, power = power,
         n = ceiling(power.t.test(power = power, delta = effect, sd = 1, sig.level = 0.05, type = "paired", strict = TRUE)$n))
for (n in c(3, 6, 10, 20, 60))
  for (shift in c(0, 0.3, 0.7))
    for (margin in c(0.5, 0.7, 1.5)) {
      nu <- n - 1; t <- qt(0.95, nu)
      f <- function(q) {
        s <- sqrt(q / nu)
        v <- pnorm((margin - shift) * sqrt(n) - t * s) - pnorm((-margin - shift) * sqrt(n) + t * s)
        v * dchisq(q, nu)
      }
      top <- nu * (margin * sqrt(n) / t)^2
      # Split where the density has its mass, so that integrate sees it.
      cuts <- sort(unique(pmin(top, c(0, qchisq(c(1e-6, 0.1, 0.5, 0.9, 1 - 1e-6), nu), qchisq(1e-14, nu, lower.tail = FALSE)))))
      power <- 0
      for (i in seq_len(length(cuts) - 1))
        power <- power + integrate(f, cuts[i], cuts[i + 1], rel.tol = 1e-10, abs.tol = 1e-13)$value
      line("power.tost", n = n, margin = margin, shift = shift, alpha = 0.05, power = power)
    }

# Drift.
for (y in list(rnorm(10) + 0.2 * (1:10), rnorm(30), round(rnorm(25), 1), c(1, 2, 4), c(3, 1, 1, 1, 0, 2), rnorm(49) - 0.03 * (1:49))) {
  x <- seq_along(y)
  m <- summary(lm(y ~ x))$coefficients
  line("trend", y = y, slope = m[2, 1], se = m[2, 2], p = m[2, 4])
  exact <- !any(duplicated(y))
  r <- cor.test(x, y, method = "kendall", exact = exact, continuity = TRUE)
  line("kendall", y = y, tau = r$estimate, p = r$p.value, exact = exact)
}

# Place within the block: three arms, balanced; then with runs missing; then two arms.
position <- function(arms, blocks, drop, shift) {
  block <- rep(seq_len(blocks), each = arms)
  arm <- unlist(lapply(seq_len(blocks), function(i) sample(arms)))
  place <- rep(seq_len(arms), blocks)
  y <- rnorm(arms * blocks) + arm + shift * place + 0.1 * block
  keep <- setdiff(seq_along(y), drop)
  block <- block[keep]; arm <- arm[keep]; place <- place[keep]; y <- y[keep]
  a <- anova(lm(y ~ factor(block) + factor(arm)), lm(y ~ factor(block) + factor(arm) + factor(place)))
  line("position", block = block, arm = arm, place = place, y = y, f = a$F[2], df1 = a$Df[2], df2 = a$Res.Df[2], p = a$`Pr(>F)`[2])
}
position(3, 12, integer(0), 0)
position(3, 12, integer(0), 0.7)
position(4, 10, c(1, 7, 22), 0.3)
position(2, 20, integer(0), 0.5)

# Geometric mean over workloads: the mean of independent means, by hand.
for (k in c(2, 5)) {
  d <- lapply(seq_len(k), function(i) rnorm(8, 0.02 * i, 0.02 * i))
  se2 <- sapply(d, function(x) var(x) / 8) / k^2
  df <- sum(se2)^2 / sum(se2^2 / 7)
  est <- mean(sapply(d, mean))
  half <- qt(0.975, df) * sqrt(sum(se2))
  line("meanof", d = unlist(d), k = k, mean = est, df = df, ci = c(est - half, est + half))
}
