// Makes rows.json: node rows.mjs. A row has a manifest ("in"), what npm's own code makes of it when it reads a
// package.json ("out"), the edges that its tree gives it ("edges"), and what a lockfile says of it ("entry").
import { createRequire } from 'node:module'
import { execSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'

const require = createRequire(execSync('npm root -g', { encoding: 'utf8' }).trim() + '/npm/index.js')
const PackageJson = require('@npmcli/package-json')
const Arborist = require('@npmcli/arborist')
const Shrinkwrap = require('@npmcli/arborist/lib/shrinkwrap.js')
const stringify = require('json-stringify-nice')

let seed = 5
const random = n => {
  seed = (seed + 0x6D2B79F5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) % n
}
const pick = list => list[random(list.length)]
const rows = []

async function add (manifest) {
  const text = JSON.stringify(manifest)
  let content
  try {
    const p = await new PackageJson().fromContent(JSON.parse(text)).normalize()
    content = p.content
  } catch {
    return // npm gives up on such a manifest
  }
  // The hidden fields that pacote adds are gone after normalisation and come back here.
  const pkg = { ...content }
  if (manifest._hasShrinkwrap) pkg._hasShrinkwrap = manifest._hasShrinkwrap
  let node
  try {
    const root = new Arborist.Node({ path: '/project', pkg: { name: 'project' } })
    node = new Arborist.Node({ pkg, name: 'folder', parent: root, integrity: 'sha512-x', resolved: 'http://localhost/x.tgz', dev: false, optional: false, devOptional: false, peer: false, extraneous: false })
  } catch {
    return
  }
  const entry = Shrinkwrap.metaFromNode(node, '/project', {})
  const edges = [...node.edgesOut.values()].map(e => [e.type, e.name, e.spec])
  rows.push({ in: text, bin: content.bin, scripts: content.scripts, bundle: content.bundleDependencies, funding: content.funding, install: node.hasInstallScript, shrinkwrap: !!node.hasShrinkwrap, edges, entry: stringify(entry, Shrinkwrap.keyOrder, 0) })
}

const base = { name: 'hello', version: '1.2.3' }
const odd = [null, true, false, 0, 1, 42, '', 'x', [], ['x'], {}, { x: 'y' }, [1, null, 'x', {}], { a: 1, b: null, c: 'x', d: {} }]
// Dependency maps with specs that are no strings make npm fail, so they are given strings here.
const maps = [null, false, 0, '', {}, { a: '^1.0.0' }, { b: '*', a: '', 10: '1', 9: '2' }, { __proto__: null, constructor: '1.0.0' }]
const fields = {
  bin: [...odd, './x.js', '../../etc/passwd', ['./bin/a.js', 'bin/b'], { a: './a.js', 'b/c': '../c.js', '../d': 'd', '': 'e', '.': 'f', '..': 'g', h: '', i: './', j: 'k/', 'l:m': 'n:o', 'p\\q': 'r\\s' }, { 'x/y': 'one', y: 'two' }, { y: 'two', 'x/y': 'one' }, { '/y': '', y: 'two' }, { 2: 'a', 1: 'b', 'x/1': 'c' }],
  dependencies: maps, optionalDependencies: maps, peerDependencies: maps, devDependencies: maps, acceptDependencies: [{}, { a: '2.x' }],
  peerDependenciesMeta: [...odd, { a: { optional: true } }, { a: { optional: 1 }, b: { optional: false }, c: { optional: 'yes' } }, { a: true }, { z: { optional: true } }],
  bundleDependencies: [...odd, ['a', 'b']], bundledDependencies: [...odd, ['a', 'b']],
  os: [...odd, 'linux', ['linux', '!darwin']], cpu: [...odd, ['x64']], libc: [...odd, ['glibc'], 'musl'],
  engines: [...odd, { node: '>=18' }, ['node >= 0.6'], 'node >= 4', { node: 18 }, { node: '', npm: '>=1' }, { node: {}, npm: null }],
  deprecated: [...odd, 'do not use'], hasInstallScript: odd, _hasShrinkwrap: [true, false],
  scripts: [...odd, { install: 'x' }, { preinstall: '' }, { postinstall: 'y', test: 1 }, { install: 1 }],
  workspaces: [...odd, ['packages/*'], { packages: ['a'] }],
  license: [...odd, 'MIT', { type: 'MIT', url: 'u' }, { type: '' }, { type: { x: 1 } }, { url: 'u' }, [{ type: 'MIT' }]],
  licenses: [[{ type: 'MIT' }]], funding: [...odd, 'https://a.example', { type: 'x', url: 'y' }, ['a', { url: 'b' }]],
  overrides: [{ a: '1' }], gypfile: [true, false],
}
for (const [key, values] of Object.entries(fields)) {
  for (const value of values) await add({ ...base, [key]: value })
}
for (const name of [undefined, null, '', 'folder', '@a/folder', '@a/b']) await add({ ...base, name, bin: './cli.js' })
for (const version of [undefined, null, '', 'v1.0.0', '=1.0.0', 'x']) await add({ ...base, version })
await add(JSON.parse('{"name":"hello","version":"1.0.0","dependencies":{"__proto__":"1.0.0","z":"1"}}'))
await add(JSON.parse('{"name":"hello","version":"1.0.0","bin":{"__proto__":"a.js","x/__proto__":"b.js"}}'))
await add({ ...base, dependencies: { a: '1', b: '2' }, optionalDependencies: { a: '3' }, bundleDependencies: true })
await add({ ...base, dependencies: { a: '1' }, optionalDependencies: { a: '3' }, peerDependencies: { a: '4', b: '5' }, peerDependenciesMeta: { b: { optional: true } } })
const keys = Object.keys(fields)
for (let i = 0; i < 400; i++) {
  const manifest = { ...base }
  for (let k = 2 + random(6); k > 0; k--) {
    const key = pick(keys)
    manifest[key] = pick(fields[key])
  }
  await add(manifest)
}
writeFileSync(new URL('rows.json', import.meta.url), '[\n' + rows.map(r => JSON.stringify(r)).join(',\n') + '\n]\n')
