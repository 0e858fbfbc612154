// Writes rows of what node-semver answers to random input, one JSON array a line:
//
//   node generate.mjs <folder of node-semver> <seed> <rows> > differential.jsonl
//
// ["valid", flags, version, canonical|null]
// ["compare", flags, a, b, order, order with build|null]
// ["coerce", flags, text, canonical|null]
// ["range", flags, range, canonical|null, [[version, satisfies, gtr, ltr]...], minVersion|null]
// ["pair", flags, range, range, intersects, a subset of b, b subset of a]   (null where it throws)
//
// flags: 1 loose, 2 includePrerelease.
import { createRequire } from 'node:module'
const require = createRequire(import.meta.url)
const [folder, seedText, countText] = process.argv.slice(2)
const semver = require(folder)
const SemVer = semver.SemVer

let state = BigInt(seedText) | 1n
const random = n => {
  state ^= (state << 13n) & 0xffffffffffffffffn
  state ^= state >> 7n
  state ^= (state << 17n) & 0xffffffffffffffffn
  return Number((state >> 11n) % BigInt(n))
}
const pick = list => list[random(list.length)]
const chance = percent => random(100) < percent

const spaces = [' ', '  ', '\t', '\n', '\u00a0', '\ufeff', '\u2003']
const huge = ['9007199254740990', '9007199254740991', '9007199254740992', '99999999999999999999', '1'.repeat(22), '1e21',
  '9'.repeat(23), '1'.repeat(255), '2'.repeat(257), '3'.repeat(300), '4'.repeat(16), '5'.repeat(17), '0'.repeat(20) + '7']
const number = () => chance(85) ? String(random(4)) : chance(70) ? String(random(130)) : chance(60) ? '0' + random(12) : pick(huge)
const word = () => chance(50) ? pick(['alpha', 'beta', 'rc', 'a', 'x', 'X', '-', '--', 'pre-1', '1a', 'Z', '0a', '-0', 'e', 'v'])
  : chance(80) ? number() : chance(50) ? 'l'.repeat(240 + random(30)) : pick(['', '!', 'é', '*'])
const idents = () => Array.from({ length: 1 + random(3) }, word).join('.')
const part = () => chance(75) ? number() : pick(['x', 'X', '*', '', 'xx', 'y'])
const prefix = () => chance(80) ? '' : pick(['v', '=', 'v ', '= ', 'vv', '=v', ' ', '=='])
const tail = () => (chance(25) ? (chance(85) ? '-' : '') + idents() : '') + (chance(12) ? '+' + idents() : '')
const version = () => prefix() + [number(), number(), number()].join('.') + tail() + (chance(2) ? pick(['.1', '.', '+', '-', ' ', 'x'.repeat(260)]) : '')
const partial = () => prefix() + Array.from({ length: chance(60) ? 3 : 1 + random(4) }, part).join('.') + tail()
const op = () => pick(['', '', '', '^', '^', '^', '~', '~', '~>', '>', '>=', '<', '<=', '=', '>=', '<', '=>', '><', '~=', '^>'])
const blank = () => chance(85) ? '' : pick(spaces)
const simple = () => chance(2) ? pick(['', '*', 'x', 'latest', '-', '+', '+b', '>', '^', '~', 'foo*', '*1.2.3', '1.2.3*', '1.2*.3', '||'])
  : op() + blank() + (chance(50) ? version() : partial())
const conjunct = () => chance(12) ? partial() + pick([' - ', ' - ', ' - ', '  -  ', '- ', ' -']) + partial()
  : Array.from({ length: chance(65) ? 1 : 1 + random(3) }, simple).join(pick([' ', ' ', '  ', pick(spaces), ', ']))
const range = () => blank() + Array.from({ length: chance(70) ? 1 : 1 + random(3) }, conjunct).join(pick(['||', ' || ', '  ||', '|'])) + blank()
const text = () => pick([version, partial, range, () => pick(['v', 'release ', 'a1', '1.2.3.4.5', '']) + partial() + pick(['', ' of', '.', 'x'])])()
const clean = () => [random(4), random(4), random(4)].join('.') + (chance(40) ? '-' + pick(['0', '1', 'alpha', 'alpha.1', 'beta', 'rc.0', 'a']) : '')
const edges = r => {
  const out = []
  for (const c of r.set.flat().slice(0, 3)) {
    if (c.semver instanceof SemVer) {
      const { major, minor, patch, version } = c.semver
      out.push(version, `${major}.${minor}.${patch}`, `${major}.${minor}.${patch}-0`, `${major}.${minor}.${patch + 1}`, `${major}.${minor}.${patch}-zz`)
    }
  }
  return out
}
const attempt = f => { try { return f() } catch { return null } }

const kinds = {
  valid: (o) => { const v = version(); return [v, semver.valid(v, o)] },
  compare: (o) => {
    const a = version()
    const b = chance(30) ? a.replace(/\+.*|\d/, () => number()) : version()
    return [a, b, attempt(() => semver.compare(a, b, o)), attempt(() => semver.compareBuild(a, b, o))]
  },
  coerce: (o) => { const s = text(); const v = attempt(() => semver.coerce(s, o)); return [s, v && v.version] },
  range: (o) => {
    const s = range()
    const r = attempt(() => new semver.Range(s, o))
    const tests = []
    if (r) {
      const list = [...edges(r), clean(), clean(), version()]
      for (let i = 0; i < 5; i++) {
        const v = pick(list)
        tests.push([v, semver.satisfies(v, s, o), attempt(() => semver.gtr(v, s, o)), attempt(() => semver.ltr(v, s, o))])
      }
    }
    const min = r && attempt(() => semver.minVersion(s, o))
    return [s, semver.validRange(s, o), tests, min && min.version]
  },
  pair: (o) => {
    const a = conjunct()
    const b = chance(15) ? a + ' || ' + conjunct() : range()
    return [a, b, attempt(() => semver.intersects(a, b, o)), attempt(() => semver.subset(a, b, o)), attempt(() => semver.subset(b, a, o))]
  },
}
const plan = ['valid', 'compare', 'coerce', 'range', 'range', 'range', 'range', 'pair', 'pair']
const lines = []
for (let i = 0; i < Number(countText); i++) {
  const kind = pick(plan)
  const flags = chance(50) ? 0 : random(4)
  const o = { loose: !!(flags & 1), includePrerelease: !!(flags & 2) }
  lines.push(JSON.stringify([kind, flags, ...kinds[kind](o)]))
}
process.stdout.write(lines.join('\n') + '\n')
