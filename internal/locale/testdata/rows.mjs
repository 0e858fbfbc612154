// Makes the rows of this folder: node rows.mjs. Each file holds strings in ICU's order for English, with
// strings that compare as equal in one list.
import { writeFileSync } from 'node:fs'

let seed = 7
const random = n => {
  seed = (seed + 0x6D2B79F5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) % n
}
const pick = list => list[random(list.length)]

function sorted (strings) {
  const list = [...new Set(strings)].sort((a, b) => a.localeCompare(b, 'en') || (a < b ? -1 : 1))
  const groups = []
  for (const s of list) {
    const last = groups.at(-1)
    if (last && last[0].localeCompare(s, 'en') === 0) last.push(s)
    else groups.push([s])
  }
  return groups
}

const write = (name, strings) =>
  writeFileSync(new URL(name, import.meta.url), '[\n' + sorted(strings).map(g => JSON.stringify(g)).join(',\n') + '\n]\n')

// All printable characters alone, in pairs, and before and after letters.
const ascii = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i))
const pairs = ascii.flatMap(a => ascii.map(b => a + b))
write('ascii.json', ['', ...ascii, ...pairs, ...ascii.flatMap(c => ['a' + c + 'b', 'A' + c + 'b', 'a' + c + 'B'])])

// Names and lockfile locations as people have them.
const words = ['string', 'width', 'cjs', 'decoder', 'is', 'array', 'Array', 'core', 'js', 'JS', 'es5', 'es-5', 'es_5', 'v1', 'v10', 'v2', 'lodash', 'x', 'X', '0', '00', '10', 'ext']
const joins = ['-', '_', '.', '', '--', '-_', '~', '!']
const scopes = ['', '', '', '@types/', '@babel/', '@Babel/', '@a-b/', '@a_b/', '@a.b/', '@a/']
const name = () => {
  let s = pick(scopes)
  for (let i = 1 + random(3); i > 0; i--) s += pick(words) + (i > 1 ? pick(joins) : '')
  return s
}
const names = []
for (let i = 0; i < 1500; i++) {
  names.push(name())
  if (i % 3 === 0) names.push('node_modules/' + name())
  if (i % 5 === 0) names.push('node_modules/' + name() + '/node_modules/' + name())
}
write('names.json', names)

// Names with other scripts, accents in both forms, control characters and emoji.
const odd = ['é', 'e\u0301', 'É', 'e', 'ü', 'u\u0308', 'ß', 'ss', 'æ', 'ae', 'ø', 'o', 'ñ', 'n', 'ı', 'i', 'İ', 'Ω', 'ω', 'π', 'м', 'г', 'а', 'ж', 'Ж', '君', 'の', '名', 'は', 'ほ', 'ア', 'あ', '中', '文', '한', '국', 'א', 'ב', 'ع', '3', '²', '2', '½', "'", '–', '-', '—', '…', '.', '™', '™x', 'ﬁ', 'fi', 'Ａ', 'A', 'a', '\u00ad', '\u200b', '\u0001', '\t', '\n', '\u007f', '\u00a0', ' ', '\u2028', '€', '$', '£', '¥', '→', '∞', '☃', '😀', '🎉']
const mixed = [...odd]
for (let i = 0; i < 900; i++) {
  let s = ''
  for (let k = 1 + random(3); k > 0; k--) s += random(3) === 0 ? pick(words) : pick(odd)
  mixed.push(s)
}
write('unicode.json', mixed)

