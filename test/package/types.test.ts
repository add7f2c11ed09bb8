import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { fencedBlocks } from '../readme/fenced-blocks.ts'
import { type Complaints, complaintsOf } from './complaints.ts'
import { examplesOfPage, examplesOfSource, examplesOfSources, schemasOfPage } from './examples.ts'
import { type Folder, folderWithPackage, program } from './folders.ts'
import { prismaGenerateFor } from './prisma.ts'
import { shell } from './shell.ts'
import { strictConfig } from './strict-config.ts'

const pages = ['README.md', ...globSync('docs/*.md')]
const examples = [
  ...examplesOfSources(),
  ...pages.flatMap((path) => examplesOfPage(path, readFileSync(path, 'utf8'))),
]
/** Pages whose examples need files of another page, which they send their readers to. */
const continued: Readonly<Record<string, string>> = {
  'docs-fetch-md': 'docs-hosts-md',
  'docs-sessions-md': 'docs-security-md',
  'docs-passwords-md': 'docs-security-md',
}

/** The Prisma schemas of pages. */
const schemas = Object.fromEntries(
  pages
    .flatMap((path) => schemasOfPage(path, readFileSync(path, 'utf8')))
    .map(({ file, text }) => [file, text]),
)
const fixtures = globSync(['test/types/*.ts', 'examples/*.ts']).map((path) => ({
  file: path,
  text: readFileSync(path, 'utf8'),
  origin: path,
}))

/** What the compiler says about each file, with every flag and with the `tsconfig.json` of docs/install.md. */
let complaints: Complaints
let looseComplaints: Complaints
let folder: Folder

const wrong = {
  file: 'wrong.ts',
  text: `import { missing } from 'modelrest'\nexport default missing\n`,
  origin: 'wrong',
}
const all = [...examples, ...fixtures, wrong]

// The packages beside ours are checked by their own authors.
const strict = { ...strictConfig, skipLibCheck: true, types: ['node'], allowImportingTsExtensions: true }

const [readersConfig = ''] = fencedBlocks(readFileSync('docs/install.md', 'utf8'), 'TypeScript').flatMap(
  ({ language, text }) => (language === 'json' ? [text] : []),
)

/** Folders whose examples register models. Each is a program of its own, so that others do not know those models. */
const registering = [
  ...new Set(
    examples.filter(({ text }) => text.includes('interface Register')).map(({ file }) => dirname(file)),
  ),
]

/** @param programs the folders that are a program of their own, beside that of all others */
const complaintsWith = (compilerOptions: object, programs: readonly string[]): Promise<Complaints> =>
  complaintsOf(folder.path, {
    all: { compilerOptions, include: ['**/*.ts'], exclude: [...registering, 'node_modules'] },
    ...Object.fromEntries(
      programs.map((name) => [
        `of-${name.replaceAll('/', '-')}`,
        { compilerOptions, include: [`${name}/**/*.ts`], exclude: ['node_modules'] },
      ]),
    ),
  })

beforeAll(async () => {
  const texts = Object.fromEntries(all.map(({ file, text }) => [file, text]))
  for (const [page, base] of Object.entries(continued))
    for (const [file, text] of Object.entries(texts).filter(([file]) => file.startsWith(`${base}/`)))
      texts[file.replace(base, page)] ??= text
  folder = folderWithPackage(inject('unpacked'), { ...texts, ...schemas })
  await prismaGenerateFor(folder.path, texts)
  complaints = await complaintsWith(strict, registering)
  looseComplaints = await complaintsWith(JSON.parse(readersConfig).compilerOptions, [])
})

afterAll(() => folder?.remove())

test('the compiler has read all of them', () => {
  expect(complaints.get('wrong.ts')?.[0]).toContain(`has no exported member 'missing'`)
  const known = new Set(all.map(({ file }) => file))
  expect([...complaints.keys()].filter((file) => !known.has(file))).toEqual([])
})

describe('an example compiles on its own against the built package', () => {
  test('there are examples in the sources and on the pages', () => {
    const names = examples.map(({ origin }) => basename(origin).replace(/:\d+$/, ''))
    expect(names).toEqual(expect.arrayContaining(['README.md', 'models.md', 'model-rest.ts', 'options.ts']))
  })

  test.each(examples)('$origin', ({ file }) => {
    expect(complaints.get(file) ?? []).toEqual([])
  })
})

describe('the tsconfig.json of docs/install.md compiles', () => {
  test('the README as it is', async () => {
    const place = join(folder.path, 'README-md')
    writeFileSync(join(place, 'tsconfig.json'), readersConfig)
    const { code, output } = await shell(`${program('tsc')} --pretty false`, place)
    expect([code, output]).toEqual([0, ''])
  })

  // Those that register models compile with more flags, above.
  const others = examples.filter(({ file }) => !registering.includes(dirname(file)))
  test.each(others)('$origin', ({ file }) => {
    expect(looseComplaints.get(file) ?? []).toEqual([])
  })
})

describe('what users pass fits the types', () => {
  test.each(fixtures)('$origin', ({ file }) => {
    expect(complaints.get(file) ?? []).toEqual([])
  })
})

test('an example is found in TSDoc, with its line', () => {
  const text =
    'const a = 1\n/**\n * Does.\n *\n * @example\n * ```ts\n * f({\n *   a,\n * })\n * ```\n */\nexport const b = 2\n'
  expect(examplesOfSource({ path: 'x/y.ts', text })).toEqual([
    { file: 'src-x-y-ts/line-6.ts', text: 'f({\n  a,\n})\nexport {}\n', origin: 'src/x/y.ts:6' },
  ])
})

test('blocks of a page see each other under the names of their files', () => {
  const page =
    '```ts\n// models.ts\nexport const a = 1\n```\n\n```ts\n// server.ts\nimport { a } from "./models.ts"\n```\n'
  expect(examplesOfPage('README.md', page).map(({ file }) => file)).toEqual([
    'README-md/models.ts',
    'README-md/server.ts',
  ])
})
