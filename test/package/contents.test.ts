import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { expect, inject, test } from 'vitest'
import { brokenLinks } from '../structure/links.ts'
import { program } from './folders.ts'
import { pinned } from './pinned.ts'
import { succeed } from './shell.ts'

const unpacked = inject('unpacked')
const files = readdirSync(unpacked, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => posix.relative(unpacked, posix.join(entry.parentPath, entry.name)))

const { exports: exported, peerDependencies: peers } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly exports: Readonly<Record<string, unknown>>
  readonly peerDependencies: Readonly<Record<string, string>>
}

const read = (file: string): string => readFileSync(join(unpacked, file), 'utf8')

test('holds what is built, the documentation with what it links to, and nothing else', () => {
  const allowed =
    /^(dist\/|docs\/(internals\/)?[^/]+\.md$|docs\/pictures\/[^/]+\.(?:png|svg)$|examples\/|docs\/[^/]+\.schema\.json$|[A-Z]+\.md$|llms\.txt$|LICENSE$|package\.json$)/
  expect(files.filter((file) => !allowed.test(file))).toEqual([])
  expect(files).toEqual(
    expect.arrayContaining([
      ...['README.md', 'CHANGELOG.md', 'LICENSE', 'llms.txt', 'docs/errors.md', 'docs/pictures/docs.png'],
      ...['dist/index.js', 'dist/index.d.ts', 'examples/one-file.ts', 'examples/shop/README.md'],
    ]),
  )
})

test('every link of a page leads to a file and a heading of the package', () => {
  const pages = files.filter((file) => file.endsWith('.md') && !file.startsWith('dist/'))
  expect(pages.length).toBeGreaterThan(30)
  const broken = pages.flatMap((page) =>
    brokenLinks(join(unpacked, page)).map((target) => `${page}: ${target}`),
  )
  expect(broken).toEqual([])
})

test('pictures are small', () => {
  const sizes = files
    .filter((file) => file.endsWith('.png'))
    .map((file) => statSync(join(unpacked, file)).size)
  expect(sizes.length).toBeGreaterThan(0)
  for (const size of sizes) expect(size).toBeLessThan(200_000)
})

test('each entry has a module and types, and what entries share is in few files', () => {
  const named = [...JSON.stringify(exported).matchAll(/"\.\/(dist\/[^"]+)"/g)].map(([, path]) => path)
  expect(named.length).toBeGreaterThan(15)
  expect(files).toEqual(expect.arrayContaining(named))
  const modules = files.filter((file) => /^dist\/(?!openapi\/viewer\/).*\.js$/.test(file))
  expect(modules.length).toBeLessThan(68)
})

test('nothing points out of the package', () => {
  const pointing = files
    .filter((file) => /\.(js|d\.ts|map)$/.test(file) && !file.includes('swagger-ui'))
    .filter((file) => /sourceMappingURL|"sources"|\.\.\/src\//.test(read(file)))
  expect(pointing).toEqual([])
})

test('stays small', () => {
  const bytes = files.reduce((sum, file) => sum + readFileSync(join(unpacked, file)).byteLength, 0)
  expect(bytes).toBeLessThan(4_800_000)
})

/** Whether a version holds one bound of a range, such as `^5.0.0`, `>=0.44` or `<1`. */
const holds = (version: string, bound: string): boolean => {
  if (bound === '*') return true
  const [, sign, limit = ''] = /^(\^|>=|<)([\d.]+)$/.exec(bound) ?? []
  if (sign === undefined) throw new Error(`This test does not know ranges such as ${bound}.`)
  const [given, other] = [version, limit].map((text) => text.split('.').map(Number))
  const order = [0, 1, 2]
    .map((place) => (given?.[place] ?? 0) - (other?.[place] ?? 0))
    .find((difference) => difference !== 0)
  if (sign === '<') return (order ?? 0) < 0
  return (order ?? 0) >= 0 && (sign === '>=' || given?.[0] === other?.[0])
}

test.each(Object.entries(peers))(
  'the %s that this repository tests with is in the range %s',
  (name, range) => {
    const version = pinned(name).slice(name.length + 1)
    const isIn = range.split(' || ').some((part) => part.split(' ').every((bound) => holds(version, bound)))
    expect([version, isIn]).toEqual([version, true])
  },
)

test('publint finds nothing', async () => {
  const { messages, pkg } = await publint({ pkgDir: unpacked, strict: true, pack: false })
  expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([])
})

test('the types are right wherever an ES module can be loaded', async () => {
  const found = await succeed(
    `${program('attw')} ${inject('tarball')} --profile esm-only --no-definitely-typed --no-emoji --format ascii`,
    unpacked,
    { PATH: `${program('')}:${process.env['PATH']}` },
  )
  const checked = [...found.matchAll(/^"modelrest(.*)"\n\n(.*)\n(.*)$/gm)].map((match) => match.slice(1))
  const code = Object.keys(exported).filter((path) => !path.endsWith('.json'))
  for (const path of code) {
    expect(checked).toContainEqual([path.slice(1), 'node16 (from ESM): OK (ESM)', 'bundler: OK '])
  }
})
