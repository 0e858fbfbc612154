// Makes rows.json: node rows.mjs. A row has a text ("in", or "hex" where it is not UTF-8), and what JSON.parse
// and JSON.stringify make of it: "out" on one line, "error" if it is refused. Some have "pretty" for an indent.
import { writeFileSync } from 'node:fs'

let seed = 11
const random = n => {
  seed = (seed + 0x6D2B79F5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) % n
}
const pick = list => list[random(list.length)]
const rows = []

function parse (text) {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { error: true }
  }
}

function add (text, indent) {
  if (!text.isWellFormed()) return // no file can hold it
  const row = { in: text }
  const { value, error } = parse(text)
  if (error) row.error = true
  else row.out = JSON.stringify(value)
  if (indent !== undefined && !error) {
    row.indent = indent
    row.pretty = JSON.stringify(value, null, indent)
  }
  rows.push(row)
}

// What is accepted and what is not.
for (const text of [
  '', ' ', 'null', 'true', 'false', 'nul', 'nulll', 'True', 'undefined', 'NaN', 'Infinity', '"', '""', '"a', "'a'", '{}', '[]', '{', '[', '}', ']', '[1,]', '[,1]', '[1 2]', '{"a"}', '{"a":}', '{"a":1,}',
  '{a:1}', "{'a':1}", '{"a":1 "b":2}', '{"a"1}', '{1:2}', '[1]x', '{} {}', '// x\n1', '/* */1', '[1]\u00a0', '\u00a01', '\u20281', '1\v', '1\f', '\t\r\n 1 \t\r\n', '\u0000', '1\u0000', '[[[[1]]]]', '{"a":{"a":{"a":{}}}}',
  '\ufeff1', '"\ufeff"', '[1,[2,[3,{"a":[]}]],{}]', '"\\"', '"\\u12"', '"\\u123g"', '"\\x41"', '"\\a"', '"\\u{41}"', '"\\\n"', '"a\nb"', '"a\tb"', '"\u0000"', '"\u001f"', '"\u007f"', '"\u0080"', '"\u2028\u2029"',
  '"\\/"', '"\\b\\f\\n\\r\\t\\"\\\\"', '"\\u0000\\u001f\\u0020\\u007f\\u2028"', '"\\uD83D\\uDE00"', '"\\ud83d"', '"\\ude00"', '"\\ud83d\\ud83d\\ude00"', '"\\ude00\\ud83d"', '"\\ud83dx\\ude00"', '"\\ud83d\\n"', '"\\ud83d\\u"', '"\\ud83d\\u00e9"', '"\u{1f600}\\ud83d"',
  '"\\uABCD\\uabcd"', '"é\\u00e9"', '{"\\u0061":1,"a":2}', '{"\\ud800":1}', '"a\\', '"a\\u', '[', '[1', '[1,', '{"', '{"a', '{"a"', '{"a":', '{"a":1', '{"a":1,',
]) add(text)

// Numbers.
for (const n of [
  '0', '-0', '-', '+1', '01', '-01', '00', '1.', '.5', '1.5', '-1.5', '1.0', '1.50', '1e', '1e+', '1e-', '1e1', '1E1', '1e+1', '1e-1', '1e01', '0e0', '-0e1', '0.0', '-0.0', '0x10', '1_000', '1e20', '1e21', '123456789012345678901', '1234567890123456789012',
  '1e-6', '1e-7', '0.000001', '0.0000001', '-1e-7', '1.5e-10', '1e100', '1e308', '1e309', '-1e309', '1.7976931348623157e308', '1.7976931348623159e308', '5e-324', '2e-324', '4.9e-324', '9007199254740991', '9007199254740992', '9007199254740993', '999999999999999', '9999999999999999',
  '123456789012345', '1234567890123456', '-9007199254740993', '0.1', '0.30000000000000004', '1.1e1', '100e-2', '12345678901234567890e-5', '3.14159265358979323846', '1e-400', '123e-20', '1.0e+2', '-0.0000001', '1.234e21', '4294967295', '1.7e-8', '2.5e+25',
]) {
  add(n)
  add(`[${n},${n}]`)
}
for (let i = 0; i < 300; i++) {
  const digits = () => { let s = ''; for (let k = 1 + random(20); k > 0; k--) s += random(10); return s }
  let n = pick(['', '-']) + String(Number(digits()))
  if (random(2)) n += '.' + digits()
  if (random(2)) n += pick(['e', 'E']) + pick(['', '+', '-']) + random(40)
  add(n)
}

// Keys: order, doubles, names that JavaScript knows.
for (const text of [
  '{"b":1,"a":2}', '{"2":1,"1":2,"a":3,"0":4}', '{"a":1,"10":2,"9":3}', '{"01":1,"1":2,"-1":3,"1.0":4,"+1":5," 1":6}', '{"4294967294":1,"4294967295":2,"4294967296":3,"1":4}', '{"9007199254740991":1,"1":2}', '{"00":1,"0":2}', '{"1e3":1,"1000":2}',
  '{"a":1,"b":2,"a":3}', '{"a":{"x":1},"a":{"y":2}}', '{"1":"x","a":1,"1":"y"}', '{"":1,"":2}', '{"__proto__":1}', '{"a":1,"__proto__":{"b":2},"c":3}', '{"__proto__":1,"__proto__":2}', '{"constructor":1,"toString":2,"hasOwnProperty":3}', '{"toJSON":1}', '{"length":1}',
  '{"10000000000":1,"5":2}', '{"4294967290":1,"3":2,"b":1}', '{"é":1,"e\\u0301":2}', '{"\\u0031":1,"a":2,"0":3}',
]) add(text, 2)
for (let i = 0; i < 120; i++) {
  const members = []
  for (let k = random(i < 60 ? 8 : 70); k > 0; k--) members.push(JSON.stringify(pick(['', 'k', '1', '-', 'a.'])+ random(60)) + ':' + random(5))
  add('{' + members.join(',') + '}')
}

// Indentation.
const deep = '{"a":[],"b":{},"c":[1,"x",null,{"d":[[],{}]}],"e":{"f":{"g":1}},"\\n":"\\n"}'
for (const indent of ['', ' ', '  ', '\t', '    ', '            ', '---', '\t \t', '123456789é1', '😀😀😀😀😀😀', '\n']) add(deep, indent)
for (const top of ['[]', '{}', '1', '"a"', '[[]]', '[{}]', '{"a":[]}']) add(top, 2)

// Random documents, whole and damaged.
const value = depth => {
  switch (random(depth > 4 ? 5 : 7)) {
    case 0: return pick([null, true, false])
    case 1: return pick([0, 1, -1, 1.5, 1e21, 123456789, 1e-9])
    case 2: case 3: case 4: {
      let s = ''
      for (let k = random(random(6) ? 8 : 60); k > 0; k--) s += pick(['a', 'b', '"', '\\', '/', '\n', '\u0001', 'é', '君', '😀', '\ud800', '\udc00', '\u2028', ' ', '{', ']', ','])
      return s
    }
    case 5: return Array.from({ length: random(5) }, () => value(depth + 1))
    default: return Object.fromEntries(Array.from({ length: random(5) }, () => [pick(['a', 'bb', '1', '22', 'é', '"']) + random(3), value(depth + 1)]))
  }
}
for (let i = 0; i < 250; i++) {
  const text = JSON.stringify(value(0), null, pick([0, 0, 1, 2]))
  add(text, pick([0, 1, 2, '\t']))
  const at = random(text.length)
  add(text.slice(0, at) + pick(['', '"', '}', ']', ',', ':', '\\', '0', 'x', '\n', '[']) + text.slice(at + random(2)))
}

// Bytes that are not UTF-8, decoded as fs.readFile does.
const byteRow = hex => {
  const text = Buffer.from(hex, 'hex').toString('utf8')
  const { value, error } = parse(text)
  rows.push(error ? { hex, error } : { hex, out: JSON.stringify(value) })
}
for (const hex of ['80', 'bf', 'c0', 'c080', 'c1bf', 'c2', 'c241', 'e0', 'e080', 'e08080', 'e0a0', 'e0a041', 'e282', 'e28241', 'ed9fbf', 'eda080', 'edb080', 'eda0bdedb880', 'ef', 'efbf', 'efbfbd', 'f0', 'f09f', 'f09f98', 'f09f9880', 'f0808080', 'f08f', 'f48f', 'f490', 'f4908080', 'f5', 'fe', 'ff', 'fffe', 'c3a9', 'e2e2e2', 'f0f0f0', 'f09f9f9880', 'e28282e282', '80c3a9ff']) byteRow('22' + hex + '22')
byteRow('efbbbf31') // refused by JSON.parse, accepted here: see the test
for (let i = 0; i < 150; i++) {
  let hex = ''
  for (let k = 1 + random(6); k > 0; k--) hex += pick(['41', '80', 'bf', 'a0', '9f', 'c2', 'df', 'e0', 'e2', 'ed', 'ef', 'f0', 'f4', 'f5', '90', '8f'])
  byteRow('22' + hex + '22')
}
const ascii = s => s.replace(/[\u007f-\uffff]/g, c => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'))
writeFileSync(new URL('rows.json', import.meta.url), '[\n' + rows.map(r => ascii(JSON.stringify(r))).join(',\n') + '\n]\n')
