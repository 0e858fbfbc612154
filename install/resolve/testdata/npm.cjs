// Resolves every case folder named on the command line with the arborist of the
// npm that is installed, and writes npm.json beside it: { lock } or { code }.
// A case folder has registry.json (name to packument), project/package.json and,
// optionally, project/package-lock.json, project/node_modules and settings.json.
// A worker that is stuck for ten seconds, or out of memory, is ended, and its case
// is SLOW.
'use strict'
const fs = require('node:fs')
const http = require('node:http')
const os = require('node:os')
const path = require('node:path')
const { Worker, isMainThread, parentPort, workerData } = require('node:worker_threads')

const read = (dir, name, otherwise) => {
  const file = path.join(dir, name)
  return otherwise && !fs.existsSync(file) ? otherwise : JSON.parse(fs.readFileSync(file, 'utf8'))
}

if (isMainThread) {
  const [npmDir, ...cases] = process.argv.slice(2)
  const registries = cases.map(dir => read(dir, 'registry.json'))
  const server = http.createServer((req, res) => {
    const [, n, name] = req.url.match(/^\/(\d+)\/(.*)$/) || []
    const doc = registries[n] && registries[n][decodeURIComponent(name)]
    res.writeHead(doc ? 200 : 404, { 'content-type': 'application/json' })
    res.end(JSON.stringify(doc || { error: 'not found' }))
  })
  const cache = fs.mkdtempSync(path.join(os.tmpdir(), 'weft-npm-'))
  server.listen(0, '127.0.0.1', () => {
    const work = n => {
      if (n >= cases.length) {
        fs.rmSync(cache, { recursive: true })
        process.exit(0)
      }
      const port = server.address().port
      const worker = new Worker(__filename, {
        workerData: { npmDir, cases, cache, port, n }, resourceLimits: { maxOldGenerationSizeMb: 500 },
      })
      let timer
      const skip = () => {
        clearTimeout(timer)
        fs.writeFileSync(path.join(cases[n], 'npm.json'), '{"code":"SLOW"}')
        worker.terminate().then(() => work(n + 1))
      }
      const watch = () => {
        clearTimeout(timer)
        timer = setTimeout(skip, 10000)
      }
      watch()
      worker.on('message', done => {
        n = done + 1
        watch()
        if (n === cases.length) {
          clearTimeout(timer)
          work(n)
        }
      })
      worker.on('error', skip) // out of memory
    }
    work(0)
  })
} else {
  const { npmDir, cases, cache, port, n: first } = workerData
  const Arborist = require(path.join(npmDir, 'node_modules/@npmcli/arborist'))
  const resolve = async (n, dir) => {
    const settings = read(dir, 'settings.json', {})
    const project = path.join(dir, 'project')
    try {
      const arb = new Arborist({
        path: project, cache, registry: `http://127.0.0.1:${port}/${n}/`,
        packageLockOnly: true, audit: false, save: !settings.ci, fetchRetries: 0, npmVersion: '11.19.1',
        nodeVersion: 'v20.20.2', cpu: 'x64', os: 'linux', libc: 'glibc', ...settings,
      })
      if (settings.ci) {
        return { code: await outOfSync(arb, new Arborist({ path: project })) }
      }
      await arb.reify({ save: true, ...settings })
      return { lock: fs.readFileSync(path.join(project, 'package-lock.json'), 'utf8') }
    } catch (err) {
      return { code: err.code || String(err.stack || err) }
    }
  }
  // what npm ci would refuse a project for, one line each
  const outOfSync = async (arb, locked) => {
    const validate = require(path.join(npmDir, 'lib/utils/validate-lockfile.js'))
    await locked.loadVirtual()
    await arb.buildIdealTree({ save: false })
    return validate(new Map(locked.virtualTree.inventory), arb.idealTree.inventory)
      .map(e => e.split(':')[0].toLowerCase() + ' ' + e.match(/(@?[^\s@]+)@(\S*)/g).join(' '))
      .sort().join('\n') || 'in sync'
  }
  const all = async () => {
    for (let n = first; n < cases.length; n++) {
      fs.writeFileSync(path.join(cases[n], 'npm.json'), JSON.stringify(await resolve(n, cases[n])))
      parentPort.postMessage(n)
    }
  }
  all()
}
