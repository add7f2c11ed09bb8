import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { fencedBlocks } from '../readme/fenced-blocks.ts'
import { type Folder, folderWithPackage, program, writeAll } from './folders.ts'
import { installed } from './installed.ts'
import { shell, succeed } from './shell.ts'
import { strictConfig } from './strict-config.ts'

const files = ['source.ts', 'memory-reads.ts', 'memory-relations.ts', 'source.test.ts'] as const
const textOf = (file: string): string => readFileSync(`examples/memory-source/${file}`, 'utf8')
const page = ['docs/write-a-source.md', 'docs/source-queries.md'].flatMap((path) =>
  fencedBlocks(readFileSync(path, 'utf8')),
)

test.each(files)('docs/write-a-source.md shows %s of the example', (name) => {
  const shown = page.find(({ file }) => file === name)?.text
  expect(`${shown}\n`).toBe(`// ${name}\n${textOf(name)}`)
})

test.each([
  ['source.ts', 'memory-source.ts'],
  ['memory-reads.ts', 'memory-reads.ts'],
  ['memory-relations.ts', 'memory-relations.ts'],
])('%s of the example is %s of modelrest/testing', (shown, name) => {
  const published = readFileSync(`src/testing/${name}`, 'utf8')
  expect(textOf(shown)).toBe(published.replace(`'../entry/source.ts'`, `'modelrest/source'`))
})

test('the source is short', () => {
  expect(textOf('source.ts').trimEnd().split('\n').length).toBeLessThanOrEqual(250)
})

let folder: Folder
beforeAll(() => {
  folder = installed(
    ['fast-check'],
    Object.fromEntries([...files, 'package.json'].map((name) => [name, textOf(name)] as const)),
  )
})
afterAll(() => folder?.remove())

const testing = (more = ''): string => `${program('node')} --test --test-reporter=tap ${more} source.test.ts`

test('the example passes the suite of the packed package', async () => {
  const output = await succeed(`TZ=America/St_Johns ${testing()}`, folder.path)
  expect(output).toMatch(/^# fail 0$/m)
  expect(Number(/^# pass (\d+)$/m.exec(output)?.[1])).toBeGreaterThan(130)
  expect(output).toMatch(/# SKIP .*\bCheapBook$/m)
  expect(output).toMatch(/did not test .*\bCheapBook\b/)
})

test('a source that is wrong fails, and the failure says why', async () => {
  const unguarded = textOf('source.ts').replace(
    /\.find\(\(row\) =>\s+holds\(guard, row, evaluation\(place, model\)\),\s+\)/,
    '[0]',
  )
  expect(unguarded).not.toBe(textOf('source.ts'))
  writeAll(folder.path, { 'source.ts': unguarded })
  const { code, output } = await shell(testing('--test-name-pattern="outside of the guard"'), folder.path)
  expect(code).toBe(1)
  expect(output).toContain('The guard must be part of the condition of the statement.')
})

/** Compares what `whereOf` of the page finds in SQLite with `holds`, and uses the server of the page. */
const visitor = `import Database from 'better-sqlite3'
import { describeModels, holds } from 'modelrest/source'
import { app } from './server.ts'
import { whereOf } from './where.ts'

const [model] = describeModels(
  [{ name: 'Thing', fields: [{ name: 'id', kind: 'integer' }, { name: 'a', kind: 'text', nullable: true }], primaryKey: ['id'] }],
  { exactText: true, literalContains: true },
)
const rows = ['x', 'X%', 'a_b', 'ab', '', null].map((a, id) => ({ id, a }))
const database = new Database(':memory:')
database.exec('create table things (id integer primary key, a text)')
for (const { id, a } of rows) database.prepare('insert into things values (?, ?)').run(id, a)

const leaves = [
  ...['eq', 'ne', 'lt', 'le', 'gt', 'ge', 'contains'].flatMap((op) => ['x', 'a', '%', '_', ''].map((value) => ({ op, field: 'a', value }))),
  ...[[], ['x'], ['x', 'ab']].map((values) => ({ op: 'in', field: 'a', values })),
  { op: 'is-null', field: 'a' },
  { op: 'is-not-null', field: 'a' },
]
const all = leaves.flatMap((leaf) => [leaf, { op: 'not', condition: leaf }])
const pairs = all.flatMap((one, at) => ['and', 'or'].map((op) => ({ op, conditions: [one, all[(at * 7 + 3) % all.length]] })))
let compared = 0
for (const condition of [...all, ...pairs, ...pairs.map((pair) => ({ op: 'not', condition: pair }))]) {
  const { sql, values } = whereOf(condition)
  const found = database.prepare('select id from things where ' + sql + ' order by id').pluck().all(...values)
  const expected = rows.filter((row) => holds(condition, row, { model })).map(({ id }) => id)
  if (String(found) !== String(expected)) console.log(JSON.stringify({ condition, sql, found, expected }))
  compared += 1
}
console.log('compared ' + compared)

const headers = { 'content-type': 'application/json' }
const post = (body) => app.fetch(new Request('http://host/api/tasks/', { method: 'POST', headers, body: JSON.stringify(body) }))
console.log((await post({ title: 'Lamp' })).status, (await post({ title: '' + 'x'.repeat(101) })).status)
console.log(await (await app.fetch(new Request('http://host/api/tasks/1'))).text())
`

test('the other code of the pages works', async () => {
  const blocks = page.filter(({ file }) => file !== undefined)
  const project = folderWithPackage(inject('unpacked'), {
    ...Object.fromEntries(blocks.map(({ file = '', text }) => [file, `${text}\n`])),
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        ...strictConfig,
        skipLibCheck: true,
        allowImportingTsExtensions: true,
        types: ['node'],
      },
      include: ['*.ts'],
    }),
    'visitor.js': visitor,
  })
  try {
    await succeed(`${program('tsc')} -p .`, project.path)
    const output = await succeed(`${program('node')} visitor.js 2>/dev/null`, project.path)
    expect(output.trim().split('\n')).toEqual(['compared 400', '201 422', '{"id":1,"title":"Lamp"}'])
  } finally {
    project.remove()
  }
})
