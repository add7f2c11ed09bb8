import { globSync, readFileSync } from 'node:fs'
import { test } from 'vitest'
import { createMysql, createPg } from '../../contract/library.ts'
import { createSqlite } from '../sql/library-tables.ts'
import { type DatabaseKind, onEachCatalog } from './databases.ts'
import { expectSame } from './same-facts.ts'

const library: Readonly<Record<DatabaseKind, readonly string[]>> = {
  ...{ sqlite: createSqlite, pg: createPg, mysql: createMysql, mariadb: createMysql },
}

/** Keys of one and two columns, to the table itself, with rules; unique keys; columns that the database fills. */
const shop = (kind: DatabaseKind): readonly string[] => {
  const id = {
    ...{
      sqlite: 'integer primary key autoincrement',
      pg: 'integer primary key generated always as identity',
    },
    ...{ mysql: 'int primary key auto_increment', mariadb: 'int primary key auto_increment' },
  }[kind]
  return [
    `create table regions (country varchar(2) not null, code varchar(3) not null, name varchar(50), primary key (country, code), unique (name))`,
    `create table customers (id ${id}, country varchar(2), region varchar(3), manager integer, email varchar(90) not null unique,
      full_name varchar(99) generated always as (lower(email)) stored,
      foreign key (country, region) references regions (country, code) on delete cascade,
      foreign key (manager) references customers (id) on delete set null)`,
  ]
}

/** The migrations of a folder, in their order. */
const migrated = (folder: string): readonly string[] =>
  globSync(`${folder}/*.sql`)
    .toSorted()
    .flatMap((file) => readFileSync(file, 'utf8').split('--> statement-breakpoint'))

const sqlFolder = (kind: DatabaseKind): string => (kind === 'mariadb' ? 'mysql' : kind)

const schemas: Readonly<Record<string, (kind: DatabaseKind) => readonly string[]>> = {
  library: (kind) => library[kind],
  shop,
  'the example': (kind) => migrated(`examples/shop/migrations/${sqlFolder(kind)}`),
  'the help desk': (kind) => (kind === 'sqlite' ? migrated('examples/help-desk/migrations') : shop(kind)),
  'a new project': (kind) => migrated(`src/cli/templates/${sqlFolder(kind)}/migrations`),
}

onEachCatalog('the reader and that of MikroORM', (open) => {
  test.each(Object.entries(schemas))('find the same in %s', async (_name, statementsOf) => {
    const opened = await open()
    await opened.execute(...statementsOf(opened.kind))
    await expectSame(opened)
  })
})
