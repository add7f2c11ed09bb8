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
import { expect, it } from 'vitest'
import { everything } from '../../../src/query/ast.ts'
import { onEachMysql } from '../../servers/test-mysql.ts'
import { openMysql } from '../drizzle/open-mysql.ts'

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
    const create = [
      `set time_zone = '+02:00'`,
      `create table ones (code ${type} primary key, owned int not null)`,
      `create table many (id int primary key, code ${referring} not null, index (code))`,
      `insert into ones values (${values[0]}, 1), (${values[1]}, 2)`,
      `insert into many values (1, ${values[0]}), (2, ${values[1]}), (3, ${values[1]})`,
    ]
    const ones = mysqlTable('ones', { code: column.primaryKey(), owned: int().notNull() })
    const code = column.notNull().references(() => ones.code)
    const many = mysqlTable('many', { id: int().primaryKey(), code })
    const options = { connectionLimit: 1 }
    const opened = await openMysql(create, { ones, many }, { kind, collation: 'as the server does', options })
    const { model, store, close } = opened
    const rows = await store.list({ filter: everything, order: [], limit: 10, offset: 0 }, everything)
    const to = {
      relation: `${model.relations[0]?.name}`,
      records: rows.map((row) => [row['code']]),
      guard: everything,
    }
    expect(await store.countRelated?.(to, everything)).toEqual(rows.map((row) => row['owned']))
    await close()
  })
})
