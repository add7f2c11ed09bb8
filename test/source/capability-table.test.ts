import { readFileSync } from 'node:fs'
import type { MikroORM } from '@mikro-orm/core'
import { MikroORM as MikroMysql } from '@mikro-orm/mysql'
import { MikroORM as MikroPg } from '@mikro-orm/postgresql'
import { MikroORM as MikroSqlite } from '@mikro-orm/sqlite'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { drizzle as drizzleMysql } from 'drizzle-orm/mysql2'
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres'
import { createPool } from 'mysql2/promise'
import { Pool } from 'pg'
import { type Options, Sequelize } from 'sequelize'
import { DataSource, type DataSourceOptions } from 'typeorm'
import { expect, test } from 'vitest'
import { drizzleModels } from '../../src/source/drizzle/index.ts'
import { mikroOrmModels } from '../../src/source/mikro-orm/index.ts'
import { prismaModels } from '../../src/source/prisma/index.ts'
import { sequelizeModels } from '../../src/source/sequelize/index.ts'
import type { Capabilities, ModelSource } from '../../src/source/source.ts'
import { typeormModels } from '../../src/source/typeorm/index.ts'
import { tableUnder } from '../structure/markdown-table.ts'
import { nodeSqlite } from './sequelize/node-sqlite.ts'

/** What the table shows of a source: its capabilities, and its optional members. */
type Shown = Readonly<Record<keyof Capabilities | 'observed' | 'queues', boolean>>

const shownOf = ({ capabilities, observed, queues = [] }: ModelSource): Shown => {
  const { exactText = false } = capabilities
  return {
    ...{ transactions: false, rowLocks: false, relations: false, relatedSort: false, aggregates: false },
    ...{ dateParts: false, literalContains: false, unicodeCaseFolding: false, databaseDefaults: false },
    ...{
      startsWith: false,
      equalsIgnoringCase: false,
      jsonPaths: false,
      arrayElements: false,
      countDistinct: false,
      having: false,
    },
    ...{ sharedReads: false, synchronous: false, exactText, exactKeys: exactText, ...capabilities },
    ...{ observed: observed !== undefined, queues: queues.length > 0 },
  }
}

const prismaOn = (provider: string): ModelSource => {
  const client = { $transaction: () => undefined, $queryRawUnsafe: () => undefined }
  return prismaModels(client, { version: 1, provider, models: {}, enums: {} })
}

const typeormOn = (options: DataSourceOptions): ModelSource =>
  typeormModels(Object.defineProperty(new DataSource(options), 'isInitialized', { value: true }))

const sequelizeOn = (options: Options): ModelSource => sequelizeModels(new Sequelize(options))

const mikroOn = (orm: unknown): ModelSource => mikroOrmModels(orm as MikroORM)
const unused = { dbName: 'unused', entities: [], connect: false, discovery: { warnWhenNoEntities: false } }

/** Nothing connects before the first statement. */
const sources: Readonly<Record<string, Readonly<Record<string, ModelSource>>>> = {
  Drizzle: {
    SQLite: drizzleModels(drizzle(':memory:'), {}),
    PostgreSQL: drizzleModels(drizzlePg(new Pool()), {}),
    MySQL: drizzleModels(drizzleMysql(createPool({})), {}),
  },
  Prisma: { SQLite: prismaOn('sqlite'), PostgreSQL: prismaOn('postgresql'), MySQL: prismaOn('mysql') },
  TypeORM: {
    SQLite: typeormOn({ type: 'better-sqlite3', database: ':memory:' }),
    PostgreSQL: typeormOn({ type: 'postgres' }),
    MySQL: typeormOn({ type: 'mysql' }),
  },
  Sequelize: {
    SQLite: sequelizeOn({ dialect: 'sqlite', dialectModule: nodeSqlite }),
    PostgreSQL: sequelizeOn({ dialect: 'postgres' }),
    MySQL: sequelizeOn({ dialect: 'mysql' }),
  },
  MikroORM: {
    SQLite: mikroOn(await MikroSqlite.init(unused)),
    PostgreSQL: mikroOn(await MikroPg.init(unused)),
    MySQL: mikroOn(await MikroMysql.init(unused)),
  },
}

const names = Object.keys(shownOf(prismaOn('sqlite'))) as readonly (keyof Shown)[]

const cellOf = (databases: Readonly<Record<string, ModelSource>>, name: keyof Shown): string => {
  const all = Object.entries(databases)
  const having = all.filter(([, source]) => shownOf(source)[name])
  if (having.length === 0) return 'no'
  return having.length === all.length ? 'yes' : having.map(([database]) => database).join(', ')
}

/** The cells of a row of the table. */
const declared = (name: keyof Shown): readonly string[] =>
  Object.values(sources).map((databases) => cellOf(databases, name))

test('docs/sources.md has the capabilities of each source, as the code declares them', () => {
  const page = readFileSync('docs/sources.md', 'utf8')
  expect(page).toContain(`| Capability | | ${Object.keys(sources).join(' | ')} |`)
  const shown = tableUnder(page, 'Capabilities').map(([name = '', _what, ...cells]) => [name, cells] as const)
  expect(new Map(shown)).toEqual(new Map(names.map((name) => [`\`${name}\``, declared(name)])))
})

test('the sources that write SQL are equal, but that statements of SQLite return at once with Drizzle, and MikroORM shares no reads', () => {
  const unequal = names.filter((name) => {
    const [drizzled, _prisma, ...others] = declared(name)
    return others.some((cell) => cell !== drizzled)
  })
  expect(unequal).toEqual(['sharedReads', 'synchronous'])
})
