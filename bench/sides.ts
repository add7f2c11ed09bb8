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

const own: readonly Side[] = ['by-hand', 'modelrest']
const isOwn = (side: Side): boolean => own.includes(side)

const folder = (side: Side): URL => new URL(`peers/${side}/`, import.meta.url)

/** Whether it can run: ours always, a peer once `npm run bench:peers` has built it. */
export const isInstalled = (side: Side): boolean =>
  isOwn(side) || existsSync(new URL('dist/server.js', folder(side)))

interface Manifest {
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
}

const readManifest = (url: URL | string): Manifest => JSON.parse(readFileSync(url, 'utf8')) as Manifest

const ownPackages = ['fastify', 'drizzle-orm', 'better-sqlite3', 'pg'] as const

/** `fastify 5.12.8, …`: what a side runs on. */
export const versionsOf = (side: Side): string => {
  const list = (of: Readonly<Record<string, string>>): string =>
    Object.entries(of)
      .map(([name, version]) => `${name} ${version}`)
      .join(', ')
  if (!isOwn(side)) return list(readManifest(new URL('package.json', folder(side))).dependencies ?? {})
  const root = new URL('../', import.meta.url)
  const installed = (name: string): string =>
    readManifest(new URL(`node_modules/${name}/package.json`, root)).version
  const names = ownPackages.filter((name) => side === 'modelrest' || name !== 'drizzle-orm')
  return list({
    ...(side === 'modelrest' && { modelrest: readManifest(new URL('package.json', root)).version }),
    ...Object.fromEntries(names.map((name) => [name, installed(name)])),
  })
}
