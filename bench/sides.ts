import { existsSync, readFileSync } from 'node:fs'
import type { DatabaseName } from './databases.ts'
import type { Side } from './dialects.ts'

interface Described {
  readonly title: string
  /** Where readers find it. */
  readonly link?: string
  readonly databases: readonly DatabaseName[]
  /** What a reader must know to judge its numbers. */
  readonly note?: string
}

const both = ['sqlite', 'postgres'] as const

/** In the order of the report. */
export const sides: Readonly<Record<Side, Described>> = {
  'by-hand': {
    title: 'hand-written',
    databases: both,
    note: 'Fastify routes with JSON Schemas and prepared statements of the driver (named ones for PostgreSQL).',
  },
  modelrest: {
    title: 'modelrest',
    databases: both,
    note: 'Fastify and Drizzle, with the default settings. The endpoints are public, as those of the others.',
  },
  'modelrest-sync': {
    title: 'modelrest, isAsync: false',
    databases: ['sqlite'],
    note: 'The same with synchronous handlers.',
  },
  'modelrest-nest': {
    title: 'modelrest in NestJS',
    databases: both,
    note: 'NestJS with its Fastify adapter, and TypeORM: the stack of dataui/crud.',
  },
  remult: {
    title: 'Remult',
    link: 'https://remult.dev',
    databases: both,
    note: 'In Fastify. Its lists have no count: a separate request counts.',
  },
  zenstack: {
    title: 'ZenStack 3',
    link: 'https://zenstack.dev',
    databases: both,
    note: 'In Fastify, without access policies. Its JSON:API style counts in every list, so the two lists without a count use its RPC style.',
  },
  feathers: {
    title: 'Feathers 5',
    link: 'https://feathersjs.com',
    databases: both,
    note: 'Koa and Knex, with the schemas and resolvers that its generator writes. Paginated lists always count, also the filtered one.',
  },
  dataui: {
    title: 'dataui/crud',
    link: 'https://github.com/gid-oss/dataui-nestjs-crud',
    databases: both,
    note: 'NestJS with its Fastify adapter, TypeORM and class-validator.',
  },
  loopback: {
    title: 'LoopBack 4',
    link: 'https://loopback.io',
    databases: ['postgres'],
    note: 'With `CrudRestController`. Its lists have no count: a separate request counts. Its updates answer without a body. Its SQLite driver compiles or downloads at installation, so it is measured only on PostgreSQL.',
  },
}

const own: readonly Side[] = ['by-hand', 'modelrest', 'modelrest-sync', 'modelrest-nest']
/** Whether it needs no installation. */
export const isOwn = (side: Side): boolean => own.includes(side)

/** What is served: the products of `databases.ts`, or the orders of `relations-databases.ts`. */
type Served = 'products' | 'orders'

const ends: Readonly<Record<Served, readonly [ours: string, theirs: string]>> = {
  products: ['.ts', 'server.js'],
  orders: ['-orders.ts', 'orders.js'],
}

/** The module with which `serve.ts` serves a side. */
export const moduleOf = (side: Side, served: Served): string => {
  const [ours, theirs] = ends[served]
  return isOwn(side) ? `sides/${side}${ours}` : `peers/${side}/dist/${theirs}`
}

/** Those that can run: ours always, a peer once `npm run bench:peers` has built it. Says which cannot. */
export const installed = <S extends Side>(asked: readonly S[], served: Served): readonly S[] => {
  const isThere = (side: S): boolean => existsSync(new URL(moduleOf(side, served), import.meta.url))
  const missing = asked.filter((side) => !isThere(side))
  if (missing.length > 0)
    console.log(`Not installed: ${missing.join(', ')}. Run npm run bench:peers to compare with them.`)
  return asked.filter(isThere)
}

interface Manifest {
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
}

const readManifest = (url: URL | string): Manifest => JSON.parse(readFileSync(url, 'utf8')) as Manifest

const packages: Readonly<Partial<Record<Side, readonly string[]>>> = {
  'by-hand': ['fastify', 'better-sqlite3', 'pg'],
  modelrest: ['fastify', 'drizzle-orm', 'better-sqlite3', 'pg'],
  'modelrest-sync': ['fastify', 'drizzle-orm', 'better-sqlite3'],
  'modelrest-nest': ['@nestjs/core', '@nestjs/platform-fastify', 'typeorm', 'better-sqlite3', 'pg'],
}

/** `fastify 5.12.8, …`: what a side runs on. */
export const versionsOf = (side: Side): string => {
  const list = (of: Readonly<Record<string, string>>): string =>
    Object.entries(of)
      .map(([name, version]) => `${name} ${version}`)
      .join(', ')
  const names = packages[side]
  if (names === undefined) {
    const manifest = readManifest(new URL(`peers/${side}/package.json`, import.meta.url))
    return list(manifest.dependencies ?? {})
  }
  const root = new URL('../', import.meta.url)
  const installed = (name: string): string =>
    readManifest(new URL(`node_modules/${name}/package.json`, root)).version
  return list({
    ...(side !== 'by-hand' && { modelrest: readManifest(new URL('package.json', root)).version }),
    ...Object.fromEntries(names.map((name) => [name, installed(name)])),
  })
}
