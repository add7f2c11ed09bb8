import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { SqlDriverAdapterFactory } from '@prisma/client/runtime/client'
import { x } from 'tinyexec'
import type { PrismaMetadata } from '../../../src/source/prisma/metadata.ts'
import { prismaLibrary } from '../../contract/library/prisma.ts'

export type Provider = 'postgresql' | 'mysql' | 'sqlite'

/** A model of a generated client, as far as tests use it. */
type Delegate = Readonly<Record<string, (args?: object) => Promise<unknown>>>

/** A generated client, whose types do not exist before the test runs. */
export interface TestClient {
  readonly [model: string]: Delegate
}

export interface ClientMethods {
  $connect(): Promise<void>
  $disconnect(): Promise<void>
  $queryRawUnsafe(query: string, ...values: unknown[]): Promise<readonly Record<string, unknown>[]>
  $executeRawUnsafe(query: string, ...values: unknown[]): Promise<number>
  $transaction<T>(work: (tx: AnyClient) => Promise<T>, options?: object): Promise<T>
  $extends(extension: object): AnyClient
  $on(event: 'query', listener: (event: { readonly query: string }) => void): void
}

export type AnyClient = TestClient & ClientMethods

export interface Generated {
  readonly metadata: PrismaMetadata
  connect(adapter: SqlDriverAdapterFactory, options?: object): AnyClient
}

const root = join(import.meta.dirname, '../../..')
const cache = join(root, 'test/.tmp/prisma')

/** The client of a Prisma schema, and what the generator tells about it. Generated once for each text of the schema. */
export const generate = async (
  provider: Provider,
  models?: string,
  { relationMode = 'foreignKeys' }: { readonly relationMode?: 'foreignKeys' | 'prisma' } = {},
): Promise<Generated> => {
  const text = models ?? prismaLibrary(provider)
  const script = join(root, 'src/prisma-generator/main.ts')
  const own = relationMode === 'prisma' ? '\n  relationMode = "prisma"' : ''
  const schema = `${head(provider, script, own)}\n${text}`
  const hash = createHash('sha256').update(schema)
  for (const name of await readdir(dirname(script))) hash.update(await readFile(join(dirname(script), name)))
  const folder = join(cache, `${provider}-${hash.digest('hex').slice(0, 16)}`)
  if (!existsSync(folder)) await create(folder, schema)
  const { metadata } = await import(pathToFileURL(join(folder, 'metadata/metadata.ts')).href)
  const { PrismaClient } = await import(pathToFileURL(join(folder, 'client/client.ts')).href)
  return {
    metadata,
    connect: (adapter, options) => new PrismaClient({ adapter, ...options }),
  }
}

/** A client that is never asked. */
export const clientOf = ({ models }: PrismaMetadata): object => {
  const names = Object.keys(models).map((name) => name.slice(0, 1).toLowerCase() + name.slice(1))
  const methods = ['$transaction', '$queryRawUnsafe'].map((name) => [name, () => undefined])
  return Object.fromEntries([...names.map((name) => [name, {}]), ...methods])
}

const head = (provider: Provider, script: string, own: string): string => `generator client {
  provider            = "prisma-client"
  output              = "./client"
  previewFeatures     = ["views"]
  importFileExtension = "ts"
}

generator modelrest {
  provider = "${process.execPath} ${script}"
  output   = "./metadata"
}

datasource db {
  provider = "${provider}"${own}
}
`

/** Under its final name once it is whole, because test files run at the same time. */
const create = async (folder: string, schema: string): Promise<void> => {
  await mkdir(cache, { recursive: true })
  const building = await mkdtemp(join(cache, 'building-'))
  const file = join(building, 'schema.prisma')
  await writeFile(file, schema)
  // The client needs no engine: the query compiler is part of it.
  const { exitCode, stderr, stdout } = await x(
    process.execPath,
    [join(root, 'node_modules/prisma/build/index.js'), 'generate', '--schema', file],
    { nodeOptions: { env: { PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true' }, cwd: root } },
  )
  if (exitCode !== 0) throw new Error(`prisma generate failed: ${stdout}${stderr}`)
  await rename(building, folder).catch(async (error) => {
    if (!existsSync(folder)) throw error
    await rm(building, { recursive: true })
  })
}
