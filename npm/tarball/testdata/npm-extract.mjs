// What npm makes of tarballs: reads their paths from stdin, one a line, extracts each with the pacote of the npm whose
// folder is the first argument, and prints one JSON array. Used by the tests' -npm flag only.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'

const require = createRequire(path.join(process.argv[2], 'node_modules', 'x.js'))
const FileFetcher = require('pacote/lib/file.js')
const Fetcher = require('pacote/lib/fetcher.js')
process.umask(0o022)
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'npm-extract-'))
process.on('exit', () => fs.rmSync(scratch, { recursive: true, force: true }))

function list (dir, prefix = '') {
  return fs.readdirSync(path.join(dir, prefix), { withFileTypes: true }).flatMap(entry => {
    const name = prefix + entry.name
    if (entry.isDirectory()) return list(dir, name + '/')
    const content = fs.readFileSync(path.join(dir, name))
    return [{
      path: name,
      mode: (fs.lstatSync(path.join(dir, name)).mode & 0o7777).toString(8),
      size: content.length,
      sha1: createHash('sha1').update(content).digest('hex'),
    }]
  })
}

const rows = []
for (const file of fs.readFileSync(0, 'utf8').split('\n').filter(Boolean)) {
  const dest = path.join(scratch, 'out')
  const row = { name: path.basename(file, '.tgz'), ok: true, files: [] }
  let timer
  const late = new Promise((_, reject) => { timer = setTimeout(() => reject(new Error('no end')), 10000) })
  try {
    const fetcher = new FileFetcher('file:' + file, { cache: path.join(scratch, 'cache') })
    await Promise.race([Fetcher.prototype.extract.call(fetcher, dest), late])
    row.files = list(dest)
  } catch (error) {
    row.ok = false
    row.error = String(error.message).slice(0, 100)
  }
  clearTimeout(timer)
  rows.push(row)
  fs.rmSync(dest, { recursive: true, force: true })
}
fs.writeSync(1, JSON.stringify(rows, null, 1) + '\n')
process.exit(0)
