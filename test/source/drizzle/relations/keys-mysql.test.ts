import {
  bigint,
  binary,
  date,
  datetime,
  decimal,
  int,
  type MySqlColumnBuilder,
  mysqlTable,
  timestamp,
  varchar,
} from 'drizzle-orm/mysql-core'
import { drizzle } from 'drizzle-orm/mysql2'
import mysql from 'mysql2/promise'
import { expect, it } from 'vitest'
import { drizzleModels } from '../../../../src/entry/drizzle.ts'
import { everything } from '../../../../src/query/ast.ts'
import { createMysqlDatabase, onEachMysql } from '../../../servers/test-mysql.ts'

interface KeyType {
  readonly column: MySqlColumnBuilder
  readonly type: string
  /** The type of the column that refers to it. The same by default. */
  readonly referring?: string
  /** In SQL. */
  readonly values: readonly [string, string]
}

const types: Readonly<Record<string, KeyType>> = {
  'a 64-bit integer': {
    ...{ column: bigint({ mode: 'bigint' }), type: 'bigint' },
    values: ['9007199254740992', '9007199254740993'],
  },
  'a decimal': {
    ...{ column: decimal({ precision: 30, scale: 10 }), type: 'decimal(30, 10)' },
    values: ['12345678901234567890.0000000001', '12345678901234567890.0000000002'],
  },
  'a text of another collation': {
    ...{ column: varchar({ length: 20 }), type: 'varchar(20) character set utf8mb4 collate utf8mb4_bin' },
    ...{ referring: 'varchar(20) character set utf8mb4 collate utf8mb4_general_ci', values: [`'a'`, `'A'`] },
  },
  'a text of another character set': {
    ...{ column: varchar({ length: 20 }), type: 'varchar(20) character set utf8mb4' },
    ...{ referring: 'varchar(20) character set latin1', values: [`'ä'`, `'ö'`] },
  },
  bytes: { column: binary({ length: 3 }), type: 'binary(3)', values: [`'abc'`, `'abd'`] },
  'a date': { column: date({ mode: 'string' }), type: 'date', values: [`'2026-01-31'`, `'2026-02-01'`] },
  'a time with a fraction': {
    ...{ column: datetime({ fsp: 3 }), type: 'datetime(3)' },
    values: [`'2026-01-31 10:00:00'`, `'2026-01-31 10:00:00.5'`],
  },
  'a moment, in another zone': {
    ...{ column: timestamp(), type: 'timestamp' },
    values: [`'2026-01-31 10:00:00'`, `'2026-01-31 10:00:01'`],
  },
}

onEachMysql('related records are found by keys', (kind) => {
  it.each(Object.entries(types))('that are %s', async (_name, { column, type, referring = type, values }) => {
    const database = await createMysqlDatabase('related_keys', { kind, collation: 'as the server does' })
    const pool = mysql.createPool({ uri: database.url, connectionLimit: 1 })
    for (const statement of [
      `set time_zone = '+02:00'`,
      `create table ones (code ${type} primary key, owned int not null)`,
      `create table many (id int primary key, code ${referring} not null, index (code))`,
      `insert into ones values (${values[0]}, 1), (${values[1]}, 2)`,
      `insert into many values (1, ${values[0]}), (2, ${values[1]}), (3, ${values[1]})`,
    ])
      await pool.query(statement)
    const ones = mysqlTable('ones', { code: column.primaryKey(), owned: int().notNull() })
    const code = column.notNull().references(() => ones.code)
    const source = drizzleModels(drizzle(pool), {
      ones,
      many: mysqlTable('many', { id: int().primaryKey(), code }),
    })
    const [one, many] = source.models
    if (one === undefined || many === undefined) throw new Error((source.notes ?? []).join())
    const rows = await source
      .store(one)
      .list({ filter: everything, order: [], limit: 10, offset: 0 }, everything)
    const to = {
      relation: `${one.relations[0]?.name}`,
      records: rows.map((row) => [row['code']]),
      guard: everything,
    }
    expect(await source.store(one).countRelated?.(to, everything)).toEqual(rows.map((row) => row['owned']))
    await pool.end()
    await database.drop()
  })
})
