// @module-tag programs

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { areRunning } from '../needed-program.ts'
import { emptyFolder, type Folder, program } from './folders.ts'
import { succeed } from './shell.ts'
import { strictConfig } from './strict-config.ts'

const source = `import { defineSettings, HttpError, ModelRest, ValueError } from 'modelrest'
import type { Model, ModelRestOptions, ModelSource, Settings } from 'modelrest'
import { defineSource } from 'modelrest/source'

const settings: Settings = defineSettings({ NINJA_PAGINATION_PER_PAGE: 25 })
const source: ModelSource = defineSource({
  models: [],
  capabilities: { synchronous: true },
  db: undefined,
  store: () => {
    throw new ValueError('There are no records.')
  },
  transaction: () => {
    throw new ValueError('There are no transactions.')
  },
  ping: () => undefined,
})
const options: ModelRestOptions = { models: source, settings }
const models: readonly Model[] = source.models

const refused = (): unknown => {
  try {
    return new ModelRest({}, options)
  } catch (error) {
    return error
  }
}

const error = refused()
export const result: readonly unknown[] = [
  error instanceof Error && error.name,
  new HttpError(404, 'Gone.').code,
  models.length,
  settings.NINJA_PAGINATION_PER_PAGE,
]
`

const hasRegistry = areRunning('registry', 'modelrest, installed alone')
let folder: Folder
const config = (file: string) =>
  JSON.stringify({ compilerOptions: { ...strictConfig, types: [] }, files: [file] })

beforeAll(async () => {
  if (!hasRegistry) return
  folder = emptyFolder({
    'package.json': '{ "private": true, "type": "module" }',
    'main.ts': source,
    'wrong.ts': `import { ModelRest } from 'modelrest'\nexport const rest = new ModelRest({}, { isAsync: 1 })\n`,
    'main.json': config('main.ts'),
    'wrong.json': config('wrong.ts'),
  })
  await succeed(`npm install ${inject('tarball')}`, folder.path)
})

afterAll(() => folder?.remove())

const installed = (): readonly string[] =>
  readdirSync(join(folder.path, 'node_modules')).filter((name) => !name.startsWith('.'))

test('installs Zod by itself, and no optional peer', () => {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
    peerDependenciesMeta: Record<string, unknown>
  }
  expect(installed()).toEqual(expect.arrayContaining(['modelrest', 'zod']))
  for (const peer of Object.keys(manifest.peerDependenciesMeta)) expect(installed()).not.toContain(peer)
})

test('installs few packages, each for a reason', () => {
  expect(installed()).toEqual(
    [
      // Passwords: argon2 with its binary for one platform, and a list of common ones.
      ...['@node-rs', '@zxcvbn-ts'],
      // The command line: its words, the programs that it runs, and how it shows that they work.
      ...['commander', 'isexe', 'tinyexec', 'which', 'yocto-spinner', 'yoctocolors'],
      // Headers of requests and replies, tokens, cookies.
      ...['content-disposition', 'content-type', 'cookie', 'fresh', 'jose'],
      // Near names in messages, bounded caches, types of files.
      ...['leven', 'lru-cache', 'magic-bytes.js'],
      ...['modelrest', 'negotiator'],
      // How many write at once, and how forms are cut into parts.
      ...['p-limit', 'streamsearch', 'yocto-queue'],
      // Arrays as PostgreSQL writes them.
      'postgres-array',
      'zod',
    ].toSorted(),
  )
})

test('type-checks with every strict flag, the types of all libraries included', async () => {
  await succeed(`${program('tsc')} -p main.json`, folder.path)
})

test('its types refuse what is wrong', async () => {
  await expect(succeed(`${program('tsc')} -p wrong.json`, folder.path)).rejects.toThrow(
    `Type 'number' is not assignable to type 'boolean'`,
  )
})

test('runs', async () => {
  const script = `import { result } from './main.ts'; console.log(JSON.stringify(result))`
  const output = await succeed(`${program('node')} --input-type=module -e "${script}"`, folder.path)
  expect(JSON.parse(output)).toEqual(['StartError', 'not_found', 0, 25])
})
