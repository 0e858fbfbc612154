package npmrc

import (
	"math"

	"weft/internal/jsonval"
)

// DefaultRegistry is the address of npm's public registry. It is made of parts
// so that the address stands nowhere else.
const DefaultRegistry = "https://" + defaultHost + "/"

// defaultHost is the public registry's host name, the one that the word
// "npmjs" stands for in replace-registry-host.
const defaultHost = "registry." + "npmjs" + ".org"

// types says what a setting may hold, which decides how its text is read.
type types uint16

const (
	isWord   types = 1 << iota // one of a few words
	isString                   // any text: "true" stays a text
	isBool                     // true or false; an empty text is true
	isNumber                   // a number where it looks like one
	isList                     // several values, each of the other types
	isPath                     // a file, from the working directory or from ~/
	isURL                      // an address
	isDate                     // a moment
	isUmask                    // permission bits, octal where it starts with 0
)

// definition is a setting that npm documents.
type definition struct {
	types      types
	value      jsonval.Value // the default
	deprecated bool
}

func text(s string) jsonval.Value        { return jsonval.OfString(s) }
func number(f float64) jsonval.Value     { return jsonval.OfNumber(f) }
func truth(b bool) jsonval.Value         { return jsonval.OfBool(b) }
func none() jsonval.Value                { return jsonval.Value{} }
func list(words ...string) jsonval.Value { return jsonval.OfStrings(words...) }

// definitions are npm 11's settings with their defaults. Some defaults depend
// on the environment: see defaults in load.go.
var definitions = map[string]definition{
	"_auth":                           {isString, none(), false},
	"access":                          {isWord, none(), false},
	"all":                             {isBool, truth(false), false},
	"allow-directory":                 {isWord, text("all"), false},
	"allow-file":                      {isWord, text("all"), false},
	"allow-git":                       {isWord, text("all"), false},
	"allow-remote":                    {isWord, text("all"), false},
	"allow-same-version":              {isBool, truth(false), false},
	"allow-scripts":                   {isString | isList, text(""), false},
	"allow-scripts-pending":           {isBool, truth(false), false},
	"allow-scripts-pin":               {isBool, truth(true), false},
	"also":                            {isWord, none(), true},
	"audit":                           {isBool, truth(true), false},
	"audit-level":                     {isWord, none(), false},
	"auth-type":                       {isWord, text("web"), false},
	"before":                          {isDate, none(), false},
	"bin-links":                       {isBool, truth(true), false},
	"browser":                         {isString | isBool, none(), false},
	"bypass-2fa":                      {isBool, truth(false), false},
	"ca":                              {isString | isList, none(), false},
	"cache":                           {isPath, text("~/.npm"), false},
	"cache-max":                       {isNumber, number(math.Inf(1)), true},
	"cache-min":                       {isNumber, number(0), true},
	"cafile":                          {isPath, none(), false},
	"call":                            {isString, text(""), false},
	"cert":                            {isString, none(), true},
	"cidr":                            {isString | isList, none(), false},
	"color":                           {isBool, truth(true), false},
	"commit-hooks":                    {isBool, truth(true), false},
	"cpu":                             {isString, none(), false},
	"dangerously-allow-all-scripts":   {isBool, truth(false), false},
	"depth":                           {isNumber, none(), false},
	"description":                     {isBool, truth(true), false},
	"dev":                             {isBool, truth(false), true},
	"diff":                            {isString | isList, list(), false},
	"diff-dst-prefix":                 {isString, text("b/"), false},
	"diff-ignore-all-space":           {isBool, truth(false), false},
	"diff-name-only":                  {isBool, truth(false), false},
	"diff-no-prefix":                  {isBool, truth(false), false},
	"diff-src-prefix":                 {isString, text("a/"), false},
	"diff-text":                       {isBool, truth(false), false},
	"diff-unified":                    {isNumber, number(3), false},
	"dry-run":                         {isBool, truth(false), false},
	"editor":                          {isString, text("vi"), false},
	"engine-strict":                   {isBool, truth(false), false},
	"expect-result-count":             {isNumber, none(), false},
	"expect-results":                  {isBool, none(), false},
	"expires":                         {isNumber, none(), false},
	"fetch-retries":                   {isNumber, number(2), false},
	"fetch-retry-factor":              {isNumber, number(10), false},
	"fetch-retry-maxtimeout":          {isNumber, number(60000), false},
	"fetch-retry-mintimeout":          {isNumber, number(10000), false},
	"fetch-timeout":                   {isNumber, number(300000), false},
	"force":                           {isBool, truth(false), false},
	"foreground-scripts":              {isBool, truth(false), false},
	"format-package-lock":             {isBool, truth(true), false},
	"fund":                            {isBool, truth(true), false},
	"git":                             {isString, text("git"), false},
	"git-tag-version":                 {isBool, truth(true), false},
	"global":                          {isBool, truth(false), false},
	"global-style":                    {isBool, truth(false), true},
	"globalconfig":                    {isPath, text(""), false},
	"heading":                         {isString, text("npm"), false},
	"https-proxy":                     {isURL, none(), false},
	"if-present":                      {isBool, truth(false), false},
	"ignore-scripts":                  {isBool, truth(false), false},
	"include":                         {isList, list(), false},
	"include-attestations":            {isBool, truth(false), false},
	"include-staged":                  {isBool, truth(false), false},
	"include-workspace-root":          {isBool, truth(false), false},
	"init-author-email":               {isString, text(""), false},
	"init-author-name":                {isString, text(""), false},
	"init-author-url":                 {isURL, text(""), false},
	"init-license":                    {isString, text("ISC"), false},
	"init-module":                     {isPath, text("~/.npm-init.js"), false},
	"init-private":                    {isBool, truth(false), false},
	"init-type":                       {isString, text("commonjs"), false},
	"init-version":                    {isWord, text("1.0.0"), false},
	"init.author.email":               {isString, text(""), true},
	"init.author.name":                {isString, text(""), true},
	"init.author.url":                 {isURL, text(""), true},
	"init.license":                    {isString, text("ISC"), true},
	"init.module":                     {isPath, text("~/.npm-init.js"), true},
	"init.version":                    {isWord, text("1.0.0"), true},
	"install-links":                   {isBool, truth(false), false},
	"install-strategy":                {isWord, text("hoisted"), false},
	"json":                            {isBool, truth(false), false},
	"key":                             {isString, none(), true},
	"legacy-bundling":                 {isBool, truth(false), true},
	"legacy-peer-deps":                {isBool, truth(false), false},
	"libc":                            {isString, none(), false},
	"link":                            {isBool, truth(false), false},
	"local-address":                   {isWord, text(""), false},
	"location":                        {isWord, text("user"), false},
	"lockfile-version":                {isWord, none(), false},
	"loglevel":                        {isWord, text("notice"), false},
	"logs-dir":                        {isPath, none(), false},
	"logs-max":                        {isNumber, number(10), false},
	"long":                            {isBool, truth(false), false},
	"maxsockets":                      {isNumber, number(15), false},
	"message":                         {isString, text("%s"), false},
	"min-release-age":                 {isNumber, none(), false},
	"min-release-age-exclude":         {isString | isList, list(), false},
	"name":                            {isString, none(), false},
	"node-gyp":                        {isPath, text(""), false},
	"node-options":                    {isString, none(), false},
	"noproxy":                         {isString | isList, text(""), false},
	"offline":                         {isBool, truth(false), false},
	"omit":                            {isList, list(), false},
	"omit-lockfile-registry-resolved": {isBool, truth(false), false},
	"only":                            {isWord, none(), true},
	"optional":                        {isBool, none(), true},
	"orgs":                            {isString | isList, none(), false},
	"orgs-permission":                 {isWord, none(), false},
	"os":                              {isString, none(), false},
	"otp":                             {isString, none(), false},
	"pack-destination":                {isString, text("."), false},
	"package":                         {isString | isList, list(), false},
	"package-lock":                    {isBool, truth(true), false},
	"package-lock-only":               {isBool, truth(false), false},
	"packages":                        {isString | isList, list(), false},
	"packages-all":                    {isBool, truth(false), false},
	"packages-and-scopes-permission":  {isWord, none(), false},
	"parseable":                       {isBool, truth(false), false},
	"password":                        {isString, none(), false},
	"prefer-dedupe":                   {isBool, truth(false), false},
	"prefer-offline":                  {isBool, truth(false), false},
	"prefer-online":                   {isBool, truth(false), false},
	"prefix":                          {isPath, text(""), false},
	"preid":                           {isString, text(""), false},
	"production":                      {isBool, none(), true},
	"progress":                        {isBool, truth(true), false},
	"provenance":                      {isBool, truth(false), false},
	"provenance-file":                 {isPath, none(), false},
	"proxy":                           {isURL, none(), false},
	"read-only":                       {isBool, truth(false), false},
	"rebuild-bundle":                  {isBool, truth(true), false},
	"registry":                        {isURL, text(DefaultRegistry), false},
	"replace-registry-host":           {isString, text("npmjs"), false},
	"save":                            {isBool, truth(true), false},
	"save-bundle":                     {isBool, truth(false), false},
	"save-dev":                        {isBool, truth(false), false},
	"save-exact":                      {isBool, truth(false), false},
	"save-optional":                   {isBool, truth(false), false},
	"save-peer":                       {isBool, truth(false), false},
	"save-prefix":                     {isString, text("^"), false},
	"save-prod":                       {isBool, truth(false), false},
	"sbom-format":                     {isWord, none(), false},
	"sbom-type":                       {isWord, text("library"), false},
	"scope":                           {isString, text(""), false},
	"scopes":                          {isString | isList, none(), false},
	"script-shell":                    {isString, none(), false},
	"searchexclude":                   {isString, text(""), false},
	"searchlimit":                     {isNumber, number(20), false},
	"searchopts":                      {isString, text(""), false},
	"searchstaleness":                 {isNumber, number(900), false},
	"shell":                           {isString, text("sh"), false},
	"shrinkwrap":                      {isBool, truth(true), true},
	"sign-git-commit":                 {isBool, truth(false), false},
	"sign-git-tag":                    {isBool, truth(false), false},
	"strict-allow-scripts":            {isBool, truth(false), false},
	"strict-peer-deps":                {isBool, truth(false), false},
	"strict-ssl":                      {isBool, truth(true), false},
	"tag":                             {isString, text("latest"), false},
	"tag-version-prefix":              {isString, text("v"), false},
	"timing":                          {isBool, truth(false), false},
	"token-description":               {isString, none(), false},
	"umask":                           {isUmask, number(0), false},
	"unicode":                         {isBool, truth(true), false},
	"update-notifier":                 {isBool, truth(true), false},
	"usage":                           {isBool, truth(false), false},
	"user-agent":                      {isString, text("npm/{npm-version} node/{node-version} {platform} {arch} workspaces/{workspaces} {ci}"), false},
	"userconfig":                      {isPath, text("~/.npmrc"), false},
	"version":                         {isBool, truth(false), false},
	"versions":                        {isBool, truth(false), false},
	"viewer":                          {isString, text("man"), false},
	"which":                           {isNumber, none(), false},
	"workspace":                       {isString | isList, list(), false},
	"workspaces":                      {isBool, none(), false},
	"workspaces-update":               {isBool, truth(true), false},
	"yes":                             {isBool, none(), false},
}
