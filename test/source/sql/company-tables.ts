import * as mysql from 'drizzle-orm/mysql-core'
import * as pg from 'drizzle-orm/pg-core'
import * as sqlite from 'drizzle-orm/sqlite-core'
import { decimal } from '../../../src/entry/drizzle-sqlite.ts'

const sqliteTeams = sqlite.sqliteTable(
  'teams',
  {
    region: sqlite.text().notNull(),
    code: sqlite.integer().notNull(),
    name: sqlite.text().notNull(),
    budget: decimal({ precision: 10, scale: 2 }),
  },
  (table) => [sqlite.primaryKey({ columns: [table.region, table.code] })],
)

const sqlitePeople = sqlite.sqliteTable(
  'people',
  {
    id: sqlite.integer().primaryKey(),
    name: sqlite.text().notNull(),
    region: sqlite.text(),
    code: sqlite.integer(),
    managerId: sqlite.integer('manager_id').references((): sqlite.AnySQLiteColumn => sqlitePeople.id),
    age: sqlite.integer(),
  },
  ({ region, code }) => [
    sqlite.foreignKey({ columns: [region, code], foreignColumns: [sqliteTeams.region, sqliteTeams.code] }),
    sqlite.index('people_by_team').on(region, code),
  ],
)

const sqliteTags = sqlite.sqliteTable('tags', { code: sqlite.text().primaryKey(), label: sqlite.text() })

const sqlitePersonTags = sqlite.sqliteTable(
  'person_tags',
  {
    personId: sqlite
      .integer('person_id')
      .notNull()
      .references(() => sqlitePeople.id),
    tagCode: sqlite
      .text('tag_code')
      .notNull()
      .references(() => sqliteTags.code),
    weight: sqlite.integer(),
  },
  (table) => [sqlite.primaryKey({ columns: [table.personId, table.tagCode] })],
)

export const sqliteCompany = {
  teams: sqliteTeams,
  people: sqlitePeople,
  tags: sqliteTags,
  personTags: sqlitePersonTags,
}

export const pgText = pg.customType<{ data: string }>({ dataType: () => 'varchar(20)' })

export const pgNoCase = pg.customType<{ data: string }>({ dataType: () => 'varchar(20) collate "nocase"' })

/** @param key makes the columns of keys that are texts */
export const pgCompany = (key: typeof pgNoCase) => {
  const pgTeams = pg.pgTable(
    'teams',
    {
      region: key().notNull(),
      code: pg.integer().notNull(),
      name: pg.text().notNull(),
      budget: pg.numeric({ precision: 10, scale: 2 }),
    },
    (table) => [pg.primaryKey({ columns: [table.region, table.code] })],
  )

  const pgPeople = pg.pgTable(
    'people',
    {
      id: pg.integer().primaryKey(),
      name: pg.text().notNull(),
      region: key(),
      code: pg.integer(),
      managerId: pg.integer('manager_id').references((): pg.AnyPgColumn => pgPeople.id),
      age: pg.integer(),
    },
    ({ region, code }) => [
      pg.foreignKey({ columns: [region, code], foreignColumns: [pgTeams.region, pgTeams.code] }),
      pg.index('people_by_team').on(region, code),
    ],
  )

  const pgTags = pg.pgTable('tags', { code: key().primaryKey(), label: pg.text() })

  const pgPersonTags = pg.pgTable(
    'person_tags',
    {
      personId: pg
        .integer('person_id')
        .notNull()
        .references(() => pgPeople.id),
      tagCode: key('tag_code')
        .notNull()
        .references(() => pgTags.code),
      weight: pg.integer(),
    },
    (table) => [pg.primaryKey({ columns: [table.personId, table.tagCode] })],
  )

  return { teams: pgTeams, people: pgPeople, tags: pgTags, personTags: pgPersonTags }
}

const mysqlTeams = mysql.mysqlTable(
  'teams',
  {
    region: mysql.varchar({ length: 20 }).notNull(),
    code: mysql.int().notNull(),
    name: mysql.text().notNull(),
    budget: mysql.decimal({ precision: 10, scale: 2 }),
  },
  (table) => [mysql.primaryKey({ columns: [table.region, table.code] })],
)

const mysqlPeople = mysql.mysqlTable(
  'people',
  {
    id: mysql.int().primaryKey(),
    name: mysql.text().notNull(),
    region: mysql.varchar({ length: 20 }),
    code: mysql.int(),
    managerId: mysql.int('manager_id').references((): mysql.AnyMySqlColumn => mysqlPeople.id),
    age: mysql.int(),
  },
  ({ region, code }) => [
    mysql.foreignKey({ columns: [region, code], foreignColumns: [mysqlTeams.region, mysqlTeams.code] }),
  ],
)

const mysqlTags = mysql.mysqlTable('tags', {
  code: mysql.varchar({ length: 20 }).primaryKey(),
  label: mysql.text(),
})

const mysqlPersonTags = mysql.mysqlTable(
  'person_tags',
  {
    personId: mysql
      .int('person_id')
      .notNull()
      .references(() => mysqlPeople.id),
    tagCode: mysql
      .varchar('tag_code', { length: 20 })
      .notNull()
      .references(() => mysqlTags.code),
    weight: mysql.int(),
  },
  (table) => [mysql.primaryKey({ columns: [table.personId, table.tagCode] })],
)

export const mysqlCompany = {
  teams: mysqlTeams,
  people: mysqlPeople,
  tags: mysqlTags,
  personTags: mysqlPersonTags,
}
