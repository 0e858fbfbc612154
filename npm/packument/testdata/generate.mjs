// Writes rows of what npm-pick-manifest picks from random packuments, one JSON object a line:
//
//   node generate.mjs <folder of npm-pick-manifest> <seed> <rows> > pick.jsonl
//
// {"packument": {...}, "picks": [[wanted, options, answer]...]}
//
// The answer is the shasum of the manifest picked, with " avoided", " outside" and " major" after it where npm marks it so,
// or the code of the error, or "error" for one without a code of its own.
import { createRequire } from 'node:module'
const [folder, seedText, countText] = process.argv.slice(2)
const pickManifest = createRequire(import.meta.url)(folder)

let state = BigInt(seedText) | 1n
const random = n => {
  state ^= (state << 13n) & 0xffffffffffffffffn
  state ^= state >> 7n
  state ^= (state << 17n) & 0xffffffffffffffffn
  return Number((state >> 11n) % BigInt(n))
}
const pick = list => list[random(list.length)]
const chance = percent => random(100) < percent

let serial = 0
const version = () => {
  if (chance(2)) return pick(['v1.0.0', '=1.2.3', '1.0', 'latest', '1', '__proto__x', '01.2.3', '1.2.3beta', '2.0.0+build.1', '1.2.3+a'])
  const v = [random(3), random(3), random(4)].join('.')
  return chance(25) ? v + '-' + pick(['0', 'alpha', 'alpha.1', 'beta.2', 'rc.1']) : v
}
const range = () => pick(['>=18', '^20', '>=22', '<16', '16 || 18', '*', '', 'nonsense', '>=20.0.0-rc', '<=20.20.2', 4, null, { a: 1 }])
const date = () => chance(92) ? new Date(1.6e12 + random(1000) * 1e8).toISOString() : pick(['nonsense', '', null, '2022-01-01', 'Mon, 25 Dec 2023 13:30:00 GMT', 2021, {}, '2021-06-01T00:00:00Z'])
const manifest = v => {
  const m = { name: 'pkg', version: chance(97) ? v : version(), dist: { shasum: 's' + serial++, tarball: 'https://host/x.tgz' } }
  if (chance(25)) m.deprecated = pick(['old', true, false, '', 'x', 0])
  if (chance(35)) m.engines = chance(85) ? { node: range(), ...(chance(30) ? { npm: range() } : {}) } : pick([['node >= 4'], 'node 4', null, {}])
  return m
}
const packument = () => {
  const p = { name: chance(96) ? 'pkg' : pick(['bad name', '', '.x', '@s/p']), 'dist-tags': {}, versions: {} }
  const n = chance(5) ? 0 : 1 + random(12)
  for (let i = 0; i < n; i++) {
    const v = version()
    p.versions[v] = manifest(v)
  }
  const keys = () => pick([...Object.keys(p.versions ?? {}), ...Object.keys(p.versions ?? {}), version()])
  for (const t of ['latest', 'next', 'beta', '1.x-lts']) if (chance(t === 'latest' ? 85 : 40)) p['dist-tags'][t] = keys()
  if (chance(5)) p['dist-tags'].latest = pick(['', '9.9.9', '<x'])
  if (chance(4)) delete p['dist-tags']
  if (chance(2)) delete p.versions
  if (chance(45) && p.versions) {
    p.time = { created: date(), modified: date() }
    for (const v of Object.keys(p.versions)) if (chance(92)) p.time[v] = date()
    if (chance(30)) p.time[version()] = date()
  }
  for (const [field, percent] of [['stagedVersions', 15], ['policyRestrictions', 15]]) {
    if (!chance(percent)) continue
    p[field] = { message: 'policy says no', versions: {} }
    for (let i = 0; i < 1 + random(3); i++) { const v = chance(50) ? keys() : version(); p[field].versions[v] = manifest(v) }
  }
  return p
}
const wanted = p => {
  const known = Object.keys(p.versions ?? {})
  return chance(20) && known.length ? pick(known)
    : pick(['*', '*', '', 'latest', 'next', 'beta', 'missing', '1.x-lts', '^1.0.0', '~1.1', '>=1', '<2', '1', '2.x', '0.x', '>=1.0.0-0 <3', '1.0.0 || ^2', '=1.0.0', 'v1.2.1', ' ^1 ', '9', '1.2.3+a', '1.0.0 - 2', '^2.0.0-alpha', 'x', 'a b', '^0.1.2', '>1.1.1-alpha <1.1.1'])
}
const options = () => {
  const o = {}
  if (chance(80)) o.nodeVersion = pick(['20.20.2', 'v18.0.0', '16.1.0', '22.0.0-rc.1'])
  else o.nodeVersion = null
  if (chance(40)) o.npmVersion = pick(['11.19.1', '8.0.0'])
  if (chance(30)) o.before = new Date(1.6e12 + random(1000) * 1e8).toISOString()
  if (chance(25)) o.avoid = pick(['1.x', '<2', '>=2', '*', '1.1.1', '<1.0.0-0 || 2.2.2', '>1.0.0'])
  if (chance(25)) o.avoidStrict = true
  if (chance(20)) o.defaultTag = pick(['next', 'beta', 'missing', '1.x-lts'])
  if (chance(40)) o.includeStaged = true
  return o
}
const answer = (p, w, o) => {
  try {
    const m = pickManifest(p, w, o)
    if (!m.dist) return 'ETARGET' // avoidStrict found nothing, and npm returns a manifest without fields
    return m.dist.shasum + (m._shouldAvoid ? ' avoided' : '') + (m._outsideDependencyRange ? ' outside' : '') + (m._isSemVerMajor ? ' major' : '')
  } catch (e) {
    return ['ETARGET', 'ENOVERSIONS', 'E403'].includes(e.code) ? e.code : 'error'
  }
}
const lines = []
for (let i = 0; i < Number(countText); i++) {
  const p = packument()
  const picks = []
  for (let j = 0; j < 6; j++) {
    const w = wanted(p)
    const o = options()
    picks.push([w, o, answer(p, w, o)])
  }
  lines.push(JSON.stringify({ packument: p, picks }))
}
process.stdout.write(lines.join('\n') + '\n')
