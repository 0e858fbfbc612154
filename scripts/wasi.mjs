// Runs a wasip1 program under Node's WASI. The working directory and the one for
// temporary files are mounted where they are; the environment is passed on.
//
//	node --no-warnings --stack-size=8192 scripts/wasi.mjs program.wasm [argument...]
//
// A call in Go is a call in wasm, so deep recursion needs the larger stack.
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import process from 'node:process'
import { WASI } from 'node:wasi'

const [program, ...args] = process.argv.slice(2)
const cwd = process.cwd()
const wasi = new WASI({
  version: 'preview1',
  args: [program, ...args],
  env: { ...process.env, PWD: cwd },
  preopens: { [cwd]: cwd, [tmpdir()]: tmpdir() },
  // The program's exit ends this process. To return from it means an exception
  // through its frames, on which Node 20 crashed after a run of some seconds.
  returnOnExit: false,
})
const module = await WebAssembly.compile(await readFile(program))
wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject()))
