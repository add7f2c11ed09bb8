import * as mysql from 'drizzle-orm/mysql-core'
import * as pg from 'drizzle-orm/pg-core'
import * as sqlite from 'drizzle-orm/sqlite-core'
import { decimal } from '../../../src/entry/drizzle-sqlite.ts'

/** What the tables of a dialect are made of. */
interface Dialect extends Pick<typeof pg, 'foreignKey' | 'index' | 'integer' | 'primaryKey' | 'text'> {
  readonly table: typeof pg.pgTable
  readonly decimal: typeof pg.numeric
  /** Makes the columns of keys that are texts. */
  readonly key: typeof pgText
}

const pgText = pg.customType<{ data: string }>({ dataType: () => 'varchar(20)' })
const pgNoCase = pg.customType<{ data: string }>({ dataType: () => 'varchar(20) collate "nocase"' })
const mysqlKey = mysql.customType<{ data: string }>({ dataType: () => 'varchar(20)' })

const onPg: Dialect = { ...pg, table: pg.pgTable, decimal: pg.numeric, key: pgText }

/** Their functions are called alike. */
const dialects = {
  sqlite: { ...sqlite, table: sqlite.sqliteTable, decimal, key: sqlite.text } as unknown as Dialect,
  pg: onPg,
  'pg, regardless of case': { ...onPg, key: pgNoCase },
  mysql: { ...mysql, integer: mysql.int, table: mysql.mysqlTable, key: mysqlKey } as unknown as Dialect,
} as const

export const companyTables = (dialect: keyof typeof dialects) => {
  const { table, text, key, integer, decimal: money, primaryKey, foreignKey, index } = dialects[dialect]
  const teams = table(
    'teams',
    {
      ...{ region: key('region').notNull(), code: integer('code').notNull(), name: text('name').notNull() },
      budget: money('budget', { precision: 10, scale: 2 }),
    },
    (own) => [primaryKey({ columns: [own.region, own.code] })],
  )
  const people = table(
    'people',
    {
      ...{ id: integer('id').primaryKey(), name: text('name').notNull() },
      ...{ region: key('region'), code: integer('code'), age: integer('age') },
      managerId: integer('manager_id').references((): pg.AnyPgColumn => people.id),
    },
    ({ region, code }) => [
      foreignKey({ columns: [region, code], foreignColumns: [teams.region, teams.code] }),
      index('people_by_team').on(region, code),
    ],
  )
  const tags = table('tags', { code: key('code').primaryKey(), label: text('label') })
  const personTags = table(
    'person_tags',
    {
      personId: integer('person_id')
        .notNull()
        .references(() => people.id),
      tagCode: key('tag_code')
        .notNull()
        .references(() => tags.code),
      weight: integer('weight'),
    },
    (own) => [primaryKey({ columns: [own.personId, own.tagCode] })],
  )
  return { teams, people, tags, personTags }
}
