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
import { expect, test } from 'vitest'
import { drizzleModels } from '../../src/source/drizzle/index.ts'
import { mikroOrmModels } from '../../src/source/mikro-orm/index.ts'
import { prismaModels } from '../../src/source/prisma/index.ts'
import type { Capabilities } from '../../src/source/source.ts'
import type { Family } from '../../src/source/sql/codecs.ts'
import { capabilitiesOf } from '../../src/source/sql/mapping.ts'
import { tableUnder } from '../structure/markdown-table.ts'

const names: Readonly<Record<keyof Capabilities, true>> = {
  ...{ transactions: true, rowLocks: true, relations: true, relatedSort: true, aggregates: true },
  ...{ dateParts: true, exactText: true, exactKeys: true, literalContains: true, unicodeCaseFolding: true },
  ...{ databaseDefaults: true, sharedReads: true, synchronous: true },
}

const prismaOn = (provider: string): Capabilities => {
  const client = { $transaction: () => undefined, $queryRawUnsafe: () => undefined }
  return prismaModels(client, { version: 1, provider, models: {}, enums: {} }).capabilities
}

/** Those of ORMs whose reads are the shared SQL. */
const sqlOn = (family: Family): Capabilities => capabilitiesOf(family, {})
const bySql = { SQLite: sqlOn('sqlite'), PostgreSQL: sqlOn('pg'), MySQL: sqlOn('mysql') }
const mikroOn = (orm: unknown): Capabilities => mikroOrmModels(orm as MikroORM).capabilities
const unused = { dbName: 'unused', entities: [], connect: false, discovery: { warnWhenNoEntities: false } }

/** Nothing connects before the first statement. */
const sources: Readonly<Record<string, Readonly<Record<string, Capabilities>>>> = {
  Drizzle: {
    SQLite: drizzleModels(drizzle(':memory:'), {}).capabilities,
    PostgreSQL: drizzleModels(drizzlePg(new Pool()), {}).capabilities,
    MySQL: drizzleModels(drizzleMysql(createPool({})), {}).capabilities,
  },
  Prisma: { SQLite: prismaOn('sqlite'), PostgreSQL: prismaOn('postgresql'), MySQL: prismaOn('mysql') },
  TypeORM: bySql,
  Sequelize: bySql,
  MikroORM: {
    SQLite: mikroOn(await MikroSqlite.init(unused)),
    PostgreSQL: mikroOn(await MikroPg.init(unused)),
    MySQL: mikroOn(await MikroMysql.init(unused)),
  },
}

const cellOf = (databases: Readonly<Record<string, Capabilities>>, name: keyof Capabilities): string => {
  const all = Object.keys(databases)
  const having = all.filter((database) => {
    const { exactText, ...capabilities } = databases[database] ?? {}
    return { exactText, exactKeys: exactText, ...capabilities }[name] === true
  })
  if (having.length === 0) return 'no'
  return having.length === all.length ? 'yes' : having.join(', ')
}

test('docs/sources.md has the capabilities of each source, as the code declares them', () => {
  const page = readFileSync('docs/sources.md', 'utf8')
  expect(page).toContain(`| Capability | | ${Object.keys(sources).join(' | ')} |`)
  const rows = tableUnder(page, 'Capabilities')
  const shown = rows.map(([name, _what, ...cells]) => [name, ...cells])
  const isName = (name: string): name is keyof Capabilities => Object.hasOwn(names, name)
  const declared = rows.flatMap(([cell = '']) => {
    const name = cell.replaceAll('`', '')
    return isName(name) ? [[cell, ...Object.values(sources).map((databases) => cellOf(databases, name))]] : []
  })
  expect(shown).toEqual(declared)
  expect(shown.map(([name]) => name).toSorted()).toEqual(
    Object.keys(names)
      .map((name) => `\`${name}\``)
      .toSorted(),
  )
})
