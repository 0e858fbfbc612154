// Makes conflicts.json and upgrades.json: node rows.mjs. Their rows are lockfiles ("in") and what npm reads there
// ("out": of a conflict the whole object, of version 1 the packages), ordered as npm writes it, on one line.
import { createRequire } from 'node:module'
import { execSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const require = createRequire(execSync('npm root -g', { encoding: 'utf8' }).trim() + '/npm/index.js')
const Shrinkwrap = require('@npmcli/arborist/lib/shrinkwrap.js')
const parseConflict = require('parse-conflict-json')
const stringify = require('json-stringify-nice')

let seed = 3
const random = n => {
  seed = (seed + 0x6D2B79F5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) % n
}
const pick = list => list[random(list.length)]
const clone = v => JSON.parse(JSON.stringify(v))
const flat = v => stringify(v, Shrinkwrap.keyOrder, 0)
const write = (name, rows) => writeFileSync(new URL(name, import.meta.url), '[\n' + rows.map(r => JSON.stringify(r)).join(',\n') + '\n]\n')

// Conflicts: a parent document, changed at random on both sides.
const leaf = () => pick([1, 2, '1.0.0', '2.0.0', true, false, null, '^1.0.0'])
const names = ['a', 'b', 'c', 'name', 'version', 'constructor', 'prototype', 'node_modules/a', '10', 'os']
const make = depth => {
  switch (depth > 3 ? 0 : random(4)) {
    case 0: case 1: return leaf()
    case 2: return Array.from({ length: random(5) }, () => random(5) ? leaf() : make(depth + 1))
    default: return object(depth)
  }
}
const object = depth => Object.fromEntries(Array.from({ length: random(6) }, () => [pick(names), make(depth + 1)]))
const mutate = (v, depth = 0) => {
  if (v === null || typeof v !== 'object') return make(depth)
  if (Array.isArray(v)) {
    const at = random(v.length + 1)
    switch (random(3)) {
      case 0: v.splice(at, 1); break
      case 1: v.splice(at, 0, leaf()); break
      default: if (at < v.length) v[at] = mutate(v[at], depth + 1)
    }
    return v
  }
  const key = pick([...Object.keys(v), ...names])
  switch (random(4)) {
    case 0: delete v[key]; break
    case 1: v[key] = make(depth + 1); break
    default: if (key in v && Object.hasOwn(v, key)) v[key] = mutate(v[key], depth + 1); else v[key] = make(depth + 1)
  }
  return v
}
const changed = v => {
  v = clone(v)
  for (let k = 1 + random(4); k > 0; k--) v = mutate(v)
  return v
}
const conflict = (parent, ours, theirs, eol = '\n') => {
  const body = o => JSON.stringify(o, null, 1).slice(2, -2).split('\n')
  return ['{"top": 1,', '"conflict": {', '<<<<<<< HEAD', ...body(ours), '||||||| parent', ...body(parent), '=======', ...body(theirs), '>>>>>>> other', '}', '}', ''].join(eol)
}
const conflicts = []
for (let i = 0; i < 350; i++) {
  const parent = { x: 1, ...object(0) }
  const text = conflict(parent, changed(parent), changed(parent), pick(['\n', '\r\n']))
  let out = null
  try {
    out = flat(parseConflict(text))
  } catch {}
  conflicts.push({ in: text, out })
}
for (const text of ['<<<<<<<\n{"a":1}\n=======\n{"a":2}\n>>>>>>>\n', '<<<<<<<\n{"a":1}\n|||||||\n{}\n=======\n{"a":2}\n>>>>>>>\n', '{\n<<<<<<<<<< x\n"a":1\n|||||||\n"a":0\n==========\n"a":0,"b":2\n>>>>>>>>>>> y\n}', '\ufeff{\n<<<<<<<\n"a":1\n|||||||\n=======\n"a":2\n>>>>>>>\n}', '{\n<<<<<<<\n"a":1,\n=======\n"a":2\n>>>>>>>\n}', '{"a":"<<<<<<< ======= >>>>>>>"}', '{"a":"<<<<<<<"}']) {
  let out = null
  try {
    out = flat(parseConflict(text))
  } catch {}
  conflicts.push({ in: text, out })
}
write('conflicts.json', conflicts)

// Version 1: what npm 6 and before wrote, and what people made of it.
const dir = mkdtempSync(join(tmpdir(), 'rows-'))
const upgrades = []
async function upgrade (lock, manifest) {
  const text = JSON.stringify(lock)
  writeFileSync(join(dir, 'package-lock.json'), text)
  if (manifest) writeFileSync(join(dir, 'package.json'), JSON.stringify(manifest))
  else rmSync(join(dir, 'package.json'), { force: true })
  let s
  try {
    s = await Shrinkwrap.load({ path: dir })
  } catch {
    return
  }
  const row = { in: text, version: s.lockfileVersion, ancient: s.ancientLockfile, out: flat(s.data.packages) }
  if (manifest) row.manifest = JSON.stringify(manifest)
  upgrades.push(row)
}
const host = 'http://127.0.0.1:4873'
const entries = {
  plain: () => ({ version: '1.2.3', resolved: host + '/plain/-/plain-1.2.3.tgz', integrity: 'sha512-a' }),
  bare: () => ({ version: '1.2.3' }),
  unsigned: () => ({ version: '1.2.3', resolved: host + '/unsigned/-/unsigned-1.2.3.tgz' }),
  '@s/scoped': () => ({ version: '2.0.0', resolved: host + '/@s/scoped/-/scoped-2.0.0.tgz', integrity: 'sha512-b' }),
  alias: () => ({ version: 'npm:other@3.0.0', resolved: host + '/other/-/other-3.0.0.tgz', integrity: 'sha512-c' }),
  git: () => ({ version: 'git+ssh://git@github.com/a/b.git#0123456789012345678901234567890123456789', from: 'git+ssh://git@github.com/a/b.git' }),
  short: () => ({ version: 'github:a/b#0123456', from: 'github:a/b' }),
  othergit: () => ({ version: 'git+https://host.example/a/b.git#0123456', from: 'git+https://host.example/a/b.git' }),
  remote: () => ({ version: 'https://host.example/x/remote-1.0.0.tgz', integrity: 'sha512-d' }),
  remotebare: () => ({ version: 'https://host.example/x/remotebare-1.0.0.tgz' }),
  remotename: () => ({ version: 'https://host.example/@q/name/-/name-1.0.0-rc.1.tgz', integrity: 'sha512-d' }),
  file: () => ({ version: 'file:vendor/file-1.0.0.tgz', integrity: 'sha512-e' }),
  fileother: () => ({ version: 'file:vendor/else.tgz', integrity: 'sha512-e' }),
  folder: () => ({ version: 'file:lib/folder' }),
  outside: () => ({ version: 'file:../outside' }),
  bundled: () => ({ version: '1.0.0', bundled: true }),
  optional: () => ({ version: '1.0.0', resolved: host + '/optional/-/optional-1.0.0.tgz', integrity: 'sha1-a', optional: true }),
  dev: () => ({ version: '1.0.0', resolved: host + '/dev/-/dev-1.0.0.tgz', integrity: 'sha1-a', dev: true }),
  from: () => ({ version: '1.0.0', from: 'from@^1.0.0', resolved: host + '/from/-/from-1.0.0.tgz' }),
  odd: () => ({ version: 'not a version!', resolved: host + '/odd/-/odd-1.0.0.tgz' }),
  empty: () => ({}),
}
const all = Object.keys(entries)
for (const name of all) {
  await upgrade({ name: 'project', version: '1.0.0', lockfileVersion: 1, requires: true, dependencies: { [name]: entries[name]() } })
}
const tree = depth => {
  const dependencies = {}
  for (let k = random(6); k > 0; k--) {
    const name = pick(all)
    const e = dependencies[name] = entries[name]()
    if (random(3) === 0) e.requires = Object.fromEntries(Array.from({ length: random(4) }, () => [pick(all), pick(['^1.0.0', '*', '1.2.3'])]))
    if (random(6) === 0) e.dev = true
    if (random(6) === 0) e.optional = true
    if (depth < 3 && random(3) === 0) e.dependencies = tree(depth + 1)
  }
  return dependencies
}
for (let i = 0; i < 110; i++) {
  const lock = { name: 'project', version: '1.0.0', lockfileVersion: 1, requires: true, dependencies: tree(0) }
  if (random(10) === 0) delete lock.name
  if (random(10) === 0) delete lock.version
  if (random(10) === 0) delete lock.requires
  if (random(10) === 0) delete lock.lockfileVersion
  await upgrade(lock, random(2) ? { name: 'project', version: '1.0.0', dependencies: { plain: '^1.0.0' }, license: 'MIT', engines: {} } : undefined)
}
write('upgrades.json', upgrades)
rmSync(dir, { recursive: true })
