# Writes power.txt: the power of the paired t test where runs have a slow tail,
# by simulation, for TestPower. Needs base R alone:
#
#   Rscript power.R > power.txt
#
# A run takes exp(noise) with 2 % Gaussian noise, and one in twenty takes longer
# by a factor of 1 + an exponential variable of mean 0.3.

set.seed(20240229)
times <- 40000
run <- function(n) exp(rnorm(n, 0, 0.02)) * (1 + rbinom(n, 1, 0.05) * rexp(n, 1 / 0.3))
cat("#", R.version.string, "\n")
for (n in c(20, 40))
  for (effect in c(0.02, 0.05, 0.1)) {
    hits <- 0
    for (i in seq_len(times)) {
      d <- log(run(n) * (1 + effect) / run(n))
      hits <- hits + (abs(mean(d)) > qt(0.975, n - 1) * sd(d) / sqrt(n))
    }
    cat(n, effect, hits / times, "\n")
  }
