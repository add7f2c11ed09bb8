import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { cyclesOf, foldersOf, graphOf } from './cycles.ts'
import { danglingEdges, forbiddenEdges } from './edges.ts'
import { rooms } from './rooms.ts'
import { nodesOf, readSources, type SourceFile } from './source-files.ts'

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional?: boolean }>>
}

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest
const optional = Object.keys(manifest.peerDependenciesMeta)
const required = Object.keys(manifest.peerDependencies).filter((name) => !optional.includes(name))
const packages = { declared: [...Object.keys(manifest.dependencies), ...required], optional }

const sources = readSources('src')

describe('src', () => {
  test('imports only what the table allows', () => {
    expect(sources.length).toBeGreaterThan(50)
    expect(forbiddenEdges(sources, rooms, packages)).toEqual([])
  })

  test('imports only files that are there', () => {
    expect(danglingEdges(sources)).toEqual([])
  })

  test('has no cycle, type imports included', () => {
    expect(cyclesOf(graphOf(sources))).toEqual([])
  })

  test('has no cycle of folders: each is above or below its neighbours', () => {
    expect(cyclesOf(foldersOf(graphOf(sources)))).toEqual([])
  })

  test('reaches the records of a model in one way', () => {
    const stores = sources.flatMap((file) =>
      nodesOf(file).flatMap((node) => {
        const { type, callee } = Object(node)
        const isStore = type === 'CallExpression' && callee.property?.name === 'store'
        return isStore ? [file.path] : []
      }),
    )
    const inResource = stores.filter((path) => path.startsWith('resource/'))
    expect([...new Set(inResource)]).toEqual(['resource/parts/records.ts'])
  })
})

const tree = (files: Readonly<Record<string, string>>): readonly SourceFile[] =>
  Object.entries(files).map(([path, text]) => ({ path, text }))

const edges = (files: Readonly<Record<string, string>>) => forbiddenEdges(tree(files), rooms, packages)

describe('the check of directions', () => {
  test.each([
    ['static', `import { list } from '../resource/list.ts'`],
    ['type', `import type { List } from '../resource/list.ts'`],
    ['inline type', `import { type List } from '../resource/list.ts'`],
    ['side effect', `import '../resource/list.ts'`],
    ['passed on', `export { list } from '../resource/list.ts'`],
    ['all passed on', `export * from '../resource/list.ts'`],
    ['dynamic', `export const later = () => import('../resource/list.ts')`],
    ['type of an import', `export type List = import('../resource/list.ts').List`],
    ['typeof import', `export type All = typeof import('../resource/list.ts')`],
    ['import = require', `import list = require('../resource/list.ts')`],
  ])('finds a forbidden import: %s', (_, text) => {
    const [found = '', ...more] = edges({ 'error/codes.ts': text, 'resource/list.ts': '' })
    expect(more).toEqual([])
    expect(found).toMatch(
      /^error\/codes\.ts:1 imports (a type of )?resource\/list\.ts, but error may import nothing$/,
    )
  })

  test('says what is allowed instead', () => {
    expect(
      edges({ 'health/live.ts': `\nimport { list } from '../resource/list.ts'`, 'resource/list.ts': '' }),
    ).toEqual([
      'health/live.ts:2 imports resource/list.ts, but health may import operation, source, cache, error',
    ])
  })

  test('tells a type of a room from its values', () => {
    const files = (text: string) => ({ 'host/fastify/index.ts': text, 'operation/call.ts': '' })
    expect(edges(files(`import type { Call } from '../../operation/call.ts'`))).toEqual([])
    expect(edges(files(`import { type Call, run } from '../../operation/call.ts'`))).toHaveLength(1)
    expect(edges(files(`export { run } from '../../operation/call.ts'`))).toHaveLength(1)
  })

  test('keeps adapters apart, and the port from its adapters', () => {
    const files = {
      'host/fastify/index.ts': `import '../fetch/index.ts'`,
      'host/fetch/index.ts': '',
      'host/host.ts': `import type { X } from './fetch/index.ts'`,
      'source/source.ts': `import '../source/drizzle/index.ts'`,
      'source/drizzle/index.ts': `import '../source.ts'`,
    }
    expect(edges(files)).toHaveLength(3)
  })

  test('lets the composition root have sources as values alone', () => {
    expect(
      edges({ 'app/model-rest.ts': `import '../source/drizzle/index.ts'`, 'source/drizzle/index.ts': '' }),
    ).toHaveLength(1)
  })

  test.each([
    ['an optional peer outside its adapter', 'model/model.ts', `import type { SQL } from 'drizzle-orm'`, 1],
    [
      'the peer of the adapter',
      'source/drizzle/where.ts',
      `import { sql } from 'drizzle-orm/sqlite-core'`,
      0,
    ],
    ['the peer of another adapter', 'host/fetch/index.ts', `import type { A } from 'fastify'`, 1],
    [
      'the peers of the S3 storage outside it',
      'upload/disk.ts',
      `import type { S3Client } from '@aws-sdk/client-s3'`,
      1,
    ],
    ['the peers of the S3 storage', 'upload/s3.ts', `import { S3Client } from '@aws-sdk/client-s3'`, 0],
    ['types of the framework', 'host/fastify/index.ts', `import type { A } from 'fastify'`, 0],
    ['values of the framework', 'host/fastify/index.ts', `import Fastify from 'fastify'`, 1],
    ['a declared dependency', 'error/start-error.ts', `import leven from 'leven'`, 0],
    ['the required peer', 'schema/zod.ts', `import { z } from 'zod'`, 0],
    ['a package that is not declared', 'openapi/page.ts', `import { x } from '@scope/package/deep'`, 1],
    ['a dynamic import of a package', 'openapi/page.ts', `await import('better-sqlite3')`, 1],
    [
      'an import that is computed',
      'openapi/page.ts',
      'export const load = (name: string) => import(name)',
      1,
    ],
    [
      'an import that is computed, of files of the application',
      'controller/load.ts',
      'export const load = (name: string) => import(name)',
      0,
    ],
    [
      'the declaration of a foreign module',
      'model/model.ts',
      `declare module 'fastify' { interface X {} }`,
      1,
    ],
    ['input and output in a pure room', 'query/grammar.ts', `import { readFileSync } from 'node:fs'`, 1],
    ['computing in a pure room', 'model/kinds/binary.ts', `import { Buffer } from 'node:buffer'`, 0],
    ['input and output elsewhere', 'upload/disk.ts', `import { createReadStream } from 'node:fs'`, 0],
  ])('judges %s', (_, path, text, count) => {
    expect(edges({ [path]: text })).toHaveLength(count)
  })

  test('refuses a file in no room', () => {
    expect(edges({ 'utils/x.ts': '' })).toEqual(['utils/x.ts is in no room of the table: give it a row'])
  })
})

describe('the check of cycles', () => {
  test('finds one through types and dynamic imports, and names its path', () => {
    const files = tree({
      'a.ts': `import type { B } from './b.ts'`,
      'b.ts': `export type C = import('./c.ts').C`,
      'c.ts': `export const a = () => import('./a.ts')`,
      'd.ts': `import './a.ts'`,
    })
    expect(cyclesOf(graphOf(files))).toEqual(['a.ts -> b.ts -> c.ts -> a.ts'])
  })

  test('finds a file that imports itself', () => {
    expect(cyclesOf(graphOf(tree({ 'a.ts': `import type { A } from './a.ts'` })))).toEqual(['a.ts -> a.ts'])
  })

  test('takes two ways to one file for no cycle', () => {
    const files = tree({ 'a.ts': `import './b.ts'\nimport './c.ts'`, 'b.ts': `import './c.ts'`, 'c.ts': '' })
    expect(cyclesOf(graphOf(files))).toEqual([])
  })
})

describe('the check of floors', () => {
  const floors = (files: Readonly<Record<string, string>>) => foldersOf(graphOf(tree(files)))

  test('finds a folder and its parent, and two neighbours, although no files import each other', () => {
    const folders = floors({
      'a/index.ts': `import './b/x.ts'`,
      'a/b/x.ts': '',
      'a/b/y.ts': `import type { Z } from '../z.ts'\nimport '../c/x.ts'`,
      'a/c/x.ts': '',
      'a/c/y.ts': `export const x = () => import('../b/x.ts')`,
      'a/z.ts': '',
    })
    expect(cyclesOf(folders)).toEqual(['a -> a/b -> a', 'a/b -> a/c -> a/b'])
  })

  test('finds a cycle of three', () => {
    const folders = floors({
      'a/index.ts': `import './b/x.ts'`,
      'a/b/x.ts': `import '../c/x.ts'`,
      'a/c/x.ts': `import '../z.ts'`,
      'a/z.ts': '',
    })
    expect(cyclesOf(folders)).toEqual(['a -> a/b -> a/c -> a'])
  })

  test('takes neighbours and a parent that stand on a folder for no cycle', () => {
    const folders = floors({
      'a/index.ts': `import './b/x.ts'\nimport './c/x.ts'\nimport './z.ts'`,
      'a/b/x.ts': `import '../c/x.ts'`,
      'a/c/x.ts': `import './y.ts'`,
      'a/c/y.ts': '',
      'a/z.ts': '',
    })
    expect(cyclesOf(folders)).toEqual([])
  })
})

test('an import of a file that is not there is found', () => {
  expect(danglingEdges(tree({ 'a.ts': `import './gone.ts'` }))).toEqual([
    'a.ts:1 imports gone.ts, which is not there',
  ])
})
