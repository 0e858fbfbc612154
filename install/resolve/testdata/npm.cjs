// Resolves every case folder named on the command line with the arborist of the
// npm that is installed, and writes npm.json beside it: { lock } or { code }.
// A case folder has registry.json (name to packument), project/package.json and,
// optionally, project/package-lock.json or project/node_modules.
'use strict'
const fs = require('node:fs')
const http = require('node:http')
const os = require('node:os')
const path = require('node:path')

const [npmDir, ...cases] = process.argv.slice(2)
const Arborist = require(path.join(npmDir, 'node_modules/@npmcli/arborist'))
const registries = cases.map(dir => JSON.parse(fs.readFileSync(path.join(dir, 'registry.json'), 'utf8')))

const server = http.createServer((req, res) => {
  const [, n, name] = req.url.match(/^\/(\d+)\/(.*)$/) || []
  const doc = registries[n] && registries[n][decodeURIComponent(name)]
  res.writeHead(doc ? 200 : 404, { 'content-type': 'application/json' })
  res.end(JSON.stringify(doc || { error: 'not found' }))
})

server.listen(0, '127.0.0.1', async () => {
  const cache = fs.mkdtempSync(path.join(os.tmpdir(), 'weft-npm-'))
  for (const [n, dir] of cases.entries()) {
    const settings = fs.existsSync(path.join(dir, 'settings.json'))
      ? JSON.parse(fs.readFileSync(path.join(dir, 'settings.json'), 'utf8')) : {}
    const project = path.join(dir, 'project')
    const lock = path.join(project, 'package-lock.json')
    let out
    try {
      const arb = new Arborist({
        path: project, cache, registry: `http://127.0.0.1:${server.address().port}/${n}/`,
        packageLockOnly: true, audit: false, save: true, fetchRetries: 0, npmVersion: '11.19.1',
        nodeVersion: 'v20.20.2', cpu: 'x64', os: 'linux', libc: 'glibc', ...settings,
      })
      const limit = new Promise((_, no) => setTimeout(() => no(Object.assign(new Error('slow'), { code: 'SLOW' })), 20000).unref())
      await Promise.race([arb.reify({ save: true, ...settings }), limit])
      out = { lock: fs.readFileSync(lock, 'utf8') }
    } catch (err) {
      out = { code: err.code || String(err.stack || err) }
    }
    fs.writeFileSync(path.join(dir, 'npm.json'), JSON.stringify(out))
  }
  fs.rmSync(cache, { recursive: true })
  server.close()
  process.exit(0)
})
