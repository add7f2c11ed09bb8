import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { fetchApp, ModelRest } from '../../src/entry/fetch.ts'
import { naming } from '../naming.ts'
import { fencedBlocks } from '../readme/fenced-blocks.ts'
import {
  afterSteps,
  filesIn,
  generateClient,
  programs,
  smallDocument,
  workFolder,
  writeFiles,
} from './client-runs.ts'

const types = ['typescript-types', '--schema', 'openapi.json']

/** What npx would take from a project, where it looked there. */
const ofTheProject = {
  'package.json': '{ "dependencies": { "openapi-typescript": "7.99.0", "typescript": "7.0.2" } }',
  'node_modules/openapi-typescript/package.json':
    '{ "name": "openapi-typescript", "version": "7.99.0", "bin": "../.bin/openapi-typescript" }',
  'node_modules/.bin/openapi-typescript': '#!/bin/sh\nexit 9\n',
  'node_modules/typescript/package.json': '{ "name": "typescript", "version": "7.0.2" }',
}

const compile = (folder: string, ...programs: readonly string[]): void => {
  const files = Object.fromEntries(programs.map((text, at) => [`program${at}.ts`, text]))
  writeFiles(folder, files)
  const options = ['--strict', '--module', 'nodenext', '--types', '', '--allowImportingTsExtensions']
  execFileSync(resolve('node_modules/.bin/tsc'), ['--noEmit', ...options, ...Object.keys(files)], {
    ...{ cwd: folder, stdio: 'inherit' },
  })
}

test('types of the document, which the TypeScript of the project reads', async () => {
  const folder = workFolder(ofTheProject)
  chmodSync(join(folder, 'node_modules/.bin/openapi-typescript'), 0o755)
  const { code, out, err } = await generateClient(folder, [
    ...types,
    '--json',
    '--property',
    'root-types=true',
  ])
  expect([code, err]).toEqual([0, expect.any(String)])
  expect(JSON.parse(out)).toMatchObject({
    ...{ language: 'typescript-types', generator: 'openapi-typescript', files: 1 },
    version: expect.stringMatching(/^7\.\d+\.\d+$/),
  })
  expect(readdirSync(join(folder, 'client')).toSorted()).toEqual(['.modelrest-client.json', 'schema.d.ts'])
  compile(
    folder,
    `import type { paths, SchemaNoteDetail } from './client/schema.js'
type Reply = paths['/notes/']['get']['responses'][200]['content']['application/json']
export const note: Reply = { id: 1, text: null }
export const same: SchemaNoteDetail = note
// @ts-expect-error: it is a number
export const wrong: Reply = { id: '1' }
`,
  )
})

test('types of lists have the names of the envelope, and the members of all types of pages', async () => {
  const products = sqliteTable('products', { id: integer().primaryKey() })
  const client = new Database(':memory:')
  client.exec('create table products (id integer primary key)')
  const rest = new ModelRest(fetchApp(), {
    models: drizzleModels(drizzle({ client }), { products }),
    envelope: { items: 'data', count: 'total', count_exact: false, page: 'page', next: 'after' },
    paginationType: ['page-number', 'cursor'],
    settings: { SECRET_KEY: 'a secret of the tests, with 32 bytes or more' },
  })
  await rest.init()
  const folder = workFolder({ 'openapi.json': JSON.stringify(rest.openapi()) })
  const { code, err } = await generateClient(folder, types)
  expect([code, err]).toEqual([0, expect.any(String)])
  compile(
    folder,
    `import type { paths } from './client/schema.js'
type Operation = paths['/products/']['get']
type List = Operation['responses'][200]['content']['application/json']
export const ids = ({ data }: List): readonly number[] => data.map(({ id }) => id)
export const total = (list: List): number | null => list.total
export const after: NonNullable<Operation['parameters']['query']> = { cursor: '', limit: 5 }
export const page = (list: List): number | undefined => list.page
export const next = (list: List): string | null | undefined => list.after
// @ts-expect-error: the pages of a cursor have no number
export const always = (list: List): number => list.page
`,
  )
})

test('types of an API find misspelt names, need no fields that have a default, and have conditions on fields', async () => {
  const products = sqliteTable('products', {
    id: integer().primaryKey(),
    name: text().notNull(),
    state: text({ enum: ['new', 'used'] })
      .notNull()
      .default('new'),
    data: text({ mode: 'json' }),
  })
  const client = new Database(':memory:')
  client.exec('create table products (id integer primary key, name, state, data)')
  const rest = new ModelRest(fetchApp(), { models: drizzleModels(drizzle({ client }), { products }) })
  await rest.init()
  const folder = workFolder({ 'openapi.json': JSON.stringify(rest.openapi()) })
  const { code, err } = await generateClient(folder, types)
  expect([code, err]).toEqual([0, expect.any(String)])
  const [example] = fencedBlocks(readFileSync('docs/clients.md', 'utf8'), 'TypeScript types')
  compile(
    folder,
    example?.text ?? '',
    `import type { components, paths } from './client/schema.d.ts'
type Body = NonNullable<paths['/products/']['post']['requestBody']>['content']['application/json']
export const body: Body = { name: 'Lamp' }
export const data = (product: components['schemas']['ProductDetail']) => product.data
export const nameOf = (product: components['schemas']['ProductDetail']): string =>
  // @ts-expect-error: a misspelt name
  product.nmae
type Query<Path extends keyof paths> = NonNullable<paths[Path]['get']> extends { parameters: { query?: infer Q } } ? Q : never
export const listed: Query<'/products/'> = { state: 'new', sort: ['name'] }
export const counted: Query<'/products/aggregate'> = { state: 'new', group: 'name' }
// @ts-expect-error: a misspelt name
export const wrong: Query<'/products/'> = { sate: 'new' }
`,
  )
})

test('paths are no URLs: a # or a % in them is a letter', async () => {
  const folder = workFolder({ 'c#%41/c': 'mine', 'c#%41/a*y#%41.json': JSON.stringify(smallDocument) })
  const words = ['typescript-types', '--schema', 'c#%41/a*y#%41.json', '--output', 'c#%41/x#%42?']
  const { code, err } = await generateClient(folder, words)
  expect([code, err]).toEqual([0, expect.any(String)])
  const { 'c#%41/x#%42?/schema.d.ts': types, ...others } = filesIn(folder)
  expect(types).toContain('listNotes')
  expect(Object.keys(others).toSorted()).toEqual([
    ...['c#%41/a*y#%41.json', 'c#%41/c', 'c#%41/x#%42?/.modelrest-client.json', 'openapi.json'],
  ])
  expect(others['c#%41/c']).toBe('mine')
})

test('what the package runner says where it fails, from the registry of the project', async () => {
  const folder = workFolder({ '.npmrc': 'registry=http://127.0.0.1:1/\nfetch-retries=0\n' })
  const { code, err } = await generateClient(folder, types, { npm_config_cache: join(folder, 'cache') })
  const [failed, ...said] = afterSteps(err).split('\n')
  expect(failed).toMatch(naming('openapi-typescript', 1))
  expect(said.join('\n')).toContain('http://127.0.0.1:1/')
  expect(code).toBe(1)
  expect(existsSync(join(folder, 'client'))).toBe(false)
})

test('the package runner works in the project, whose settings it finds', async () => {
  const folder = workFolder()
  const PATH = programs({ npx: 'console.error(process.cwd()); process.exit(1)' })
  const { err } = await generateClient(folder, types, { PATH })
  expect(afterSteps(err).split('\n').slice(1)).toEqual([realpathSync(folder), ''])
})

// As openapi-typescript reads its paths.
const told = `const { writeFileSync } = require('node:fs')
const words = process.argv.slice(2)
const output = new URL('file://' + words[words.indexOf('--output') + 1])
writeFileSync(output, JSON.stringify(words.slice(0, words.indexOf('--output') - 1)))
console.log('openapi-typescript 7.1.2')`

test.each([
  [
    { 'package-lock.json': '' },
    '',
    'npx',
    [
      '--yes',
      '--prefer-offline',
      '--package=openapi-typescript@7.13.0',
      '--package=typescript@5.9.3',
      '--',
      'openapi-typescript',
    ],
  ],
  [
    { 'pnpm-lock.yaml': '' },
    '',
    'pnpm',
    ['--package=openapi-typescript@7.13.0', '--package=typescript@5.9.3', 'dlx', 'openapi-typescript'],
  ],
  [
    { '../pnpm-lock.yaml': '' },
    '',
    'pnpm',
    ['--package=openapi-typescript@7.13.0', '--package=typescript@5.9.3', 'dlx', 'openapi-typescript'],
  ],
  [
    { 'yarn.lock': '', '.yarnrc.yml': '' },
    '',
    'yarn',
    [
      'dlx',
      '--quiet',
      '--package',
      'openapi-typescript@7.13.0',
      '--package',
      'typescript@5.9.3',
      'openapi-typescript',
    ],
  ],
  [{ 'bun.lock': '' }, '', 'bunx', ['openapi-typescript@7.13.0']],
  [{ 'pnpm-lock.yaml': '' }, 'npm/11.0.0 node/v26.0.0 linux x64', 'npx', expect.arrayContaining(['--yes'])],
  [{}, 'pnpm/10.1.0 npm/? node/v26.0.0 linux x64', 'pnpm', expect.arrayContaining(['dlx'])],
  [{}, 'yarn/4.1.0 npm/? node/v26.0.0 linux x64', 'yarn', expect.arrayContaining(['dlx'])],
  [
    {},
    'bun/1.2.0 npm/? node/v26.0.0 linux x64',
    'bunx',
    expect.arrayContaining(['openapi-typescript@7.13.0']),
  ],
  [{ 'yarn.lock': '' }, 'yarn/1.22.0 npm/? node/v26.0.0 linux x64', 'npx', expect.arrayContaining(['--yes'])],
])('in a project with %j, started by "%s", %s runs', async (files, agent, runner, words) => {
  const folder = workFolder(files as Record<string, string>)
  const all = ['npx', 'pnpm', 'yarn', 'bunx'].map((name) => [
    name,
    name === runner ? told : 'process.exit(9)',
  ])
  const env = { PATH: programs(Object.fromEntries(all)), npm_config_user_agent: agent }
  const { code, err, out } = await generateClient(folder, types, env)
  expect([code, err]).toEqual([0, expect.any(String)])
  expect(out).toMatch(naming('typescript-types', 'openapi-typescript 7.1.2'))
  expect(JSON.parse(filesIn(join(folder, 'client'))['schema.d.ts'] ?? '')).toEqual(words)
})

test('npx runs where the package runner of the project is not there', async () => {
  const folder = workFolder({ 'pnpm-lock.yaml': '' })
  expect(await generateClient(folder, types, { PATH: programs({ npx: told }) })).toMatchObject({ code: 0 })
})

test('a program that is installed above the project is not run', async () => {
  const above = workFolder({ 'node_modules/.bin/npx': '#!/bin/sh\nexit 9\n', 'project/.git/HEAD': '' })
  chmodSync(join(above, 'node_modules/.bin/npx'), 0o755)
  const project = join(above, 'project')
  const schema = ['typescript-types', '--schema', '../openapi.json']
  expect(await generateClient(project, schema, { PATH: programs({ npx: told }) })).toMatchObject({ code: 0 })
})
