// Writes rows of what npm-package-arg and hosted-git-info answer to random input, one JSON array a line:
//
//   node generate.mjs <folder of npm-package-arg> <folder of hosted-git-info> <seed> <rows> > differential.jsonl
//
// ["npa", arg, fields|null]             npa(arg, "/test/a/b"), null where it throws
// ["resolve", name, spec, fields|null]
// ["hosted", url, fields|null]
// ["name", name, for old packages, for new packages]
import { createRequire } from 'node:module'
const require = createRequire(import.meta.url)
const [npaFolder, hostedFolder, seedText, countText] = process.argv.slice(2)
const npa = require(npaFolder)
const GitHost = require(hostedFolder)
const validate = createRequire(npaFolder + '/lib/npa.js')('validate-npm-package-name')

let state = BigInt(seedText) | 1n
const random = n => {
  state ^= (state << 13n) & 0xffffffffffffffffn
  state ^= state >> 7n
  state ^= (state << 17n) & 0xffffffffffffffffn
  return Number((state >> 11n) % BigInt(n))
}
const pick = list => list[random(list.length)]
const chance = percent => random(100) < percent
const join = (n, f, sep) => Array.from({ length: n }, f).join(sep)

const word = () => chance(80) ? pick(['foo', 'bar', 'x', 'user', 'project', 'a-b', 'A', '1', 'node_modules', '~u', 'fs', 'tree', 'get', 'raw', 'archive'])
  : pick(['..', '.', '', 'b c', 'é', '%20', '%zz', '%E0', 'a.b', '_x', '-y', "it's", 'q?r', '100%', '^', '{t}', '"', '<', '|', '\\', '\u00a0', 'x'.repeat(220)])
const committish = () => chance(60) ? '' : '#' + pick(['main', '1.2.3', 'semver:^1.2', 'semver:%5E1::path:lib', 'path:a/b', 'a::b', 'feature/x', 'semver:', 'k:v::main', '#x', '', 'a%zz', 'path:a::path:b'])
const host = () => chance(80) ? pick(['github.com', 'gitlab.com', 'bitbucket.org', 'gist.github.com', 'git.sr.ht', 'www.github.com', 'GitHub.com'])
  : pick(['example.com', 'host', '[::1]', 'ex ample.com', 'h:22', 'h:99999', 'h:x', '', 'github.com:443', 'github.com:22', 'a%41.com'])
const auth = () => chance(70) ? '' : pick(['git@', 'user:pw@', ':pw@', '@', 'a@b@', 'u/x@'])
const scheme = () => pick(['git+ssh://', 'git+https://', 'https://', 'http://', 'git://', 'ssh://', 'git+http://', 'git+file://', 'git+rsync://', 'svn://', 'HTTPS://', 'https:', 'git:', 'git+ssh:', 'x+y://', 'https:\\\\'])
const path = () => join(1 + random(4), word, '/') + pick(['', '', '.git', '/', '.tgz', '.tar.gz', '?a=b c', '.TAR'])
const url = () => scheme() + auth() + host() + pick(['/', '/', '/', ':', '', '//']) + path() + committish()
const scp = () => pick(['git@', 'user:pw@', 'u@', '']) + host() + ':' + path() + committish()
const shortcut = () => pick(['github:', 'gitlab:', 'bitbucket:', 'gist:', 'sourcehut:', '', 'GitHub:', 'other:']) + auth() + path() + committish()
const file = () => pick(['./', '../', '/', '~/', 'file:', 'file:/', 'file://', 'file:///', 'file:////', 'FILE:', 'file:./', 'file:/../', 'file:~/', '.', 'C:/', 'file:c:\\', 'a/', '.\\', '']) + path()
const registry = () => pick(['^1.2.3', '1.2.3', 'latest', '', '*', ' 1 ', '>=1 <2', 'v1.0.0', '=1.2', 'a b', 'next!', '1.2.3beta', '~1 || 2', 'a@b', '%', '@s/p'])
const alias = () => pick(['npm:', 'NPM:']) + pick([() => name() + '@' + registry(), name, shortcut, () => 'npm:x', file])()
const name = () => chance(75) ? pick(['foo', '@scope/pkg', 'lodash', '@s/p', 'http', 'Foo']) : pick([word, () => '@' + word() + '/' + word(), () => '@' + word(), () => word() + '/' + word()])()
const spec = () => pick([url, url, scp, shortcut, shortcut, file, registry, registry, alias])()

const where = '/test/a/b'
const plain = r => ({
  type: r.type, name: r.name ?? '', rawSpec: r.rawSpec ?? '', fetchSpec: r.fetchSpec ?? '', saveSpec: r.saveSpec ?? '',
  committish: r.gitCommittish ?? '', range: r.gitRange ?? '', subdir: r.gitSubdir ?? '', hosted: r.hosted ? r.hosted.type : '',
  sub: r.subSpec ? plain(r.subSpec) : null,
})
const attempt = f => { try { return plain(f()) } catch { return null } }
const hostedFields = h => h ? ({
  type: h.type, user: h.user ?? '', project: h.project, committish: h.committish ?? '', auth: h.auth ?? '', default: h.default,
  https: h.https() ?? '', ssh: h.ssh() ?? '', sshurl: h.sshurl() ?? '', git: h.git() ?? '', shortcut: h.shortcut() ?? '', tarball: h.tarball() ?? '', string: h.toString() ?? '',
}) : null
const kinds = {
  npa: () => { const a = chance(40) ? name() + '@' + spec() : spec(); return [a, attempt(() => npa(a, where))] },
  resolve: () => { const n = name(); const s = spec(); return [n, s, attempt(() => npa.resolve(n, s, where))] },
  hosted: () => { const u = pick([url, scp, shortcut])(); let h; try { h = GitHost.fromUrl(u) } catch { return kinds.hosted() }; return [u, hostedFields(h)] },
  name: () => { const n = pick([name, word, () => ' ' + word(), () => word() + word()])(); const v = validate(n); return [n, v.validForOldPackages, v.validForNewPackages] },
}
const plan = ['npa', 'npa', 'resolve', 'resolve', 'hosted', 'hosted', 'name']
process.env.HOME = '/home/tester'
const lines = []
for (let i = 0; i < Number(countText); i++) {
  const kind = pick(plan)
  lines.push(JSON.stringify([kind, ...kinds[kind]()]))
}
process.stdout.write(lines.join('\n') + '\n')
