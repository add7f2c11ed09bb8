import { globSync, readFileSync } from 'node:fs'
import type { DatabaseSchema } from '@mikro-orm/sql'
import { expect, test } from 'vitest'
import type { CatalogTable } from '../../../src/source/catalog/facts.ts'
import { readCatalog } from '../../../src/source/catalog/index.ts'
import { createMysql, createPg } from '../../contract/library.ts'
import { createSqlite } from '../sql/library-tables.ts'
import { type DatabaseKind, onEachCatalog } from './databases.ts'

type TheirTable = ReturnType<DatabaseSchema['getTables']>[number]

const sorted = <Of>(all: readonly Of[]): readonly Of[] =>
  all.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))

/** In SQLite, MikroORM has a foreign key for each column of one, and neither unique constraints nor all computed columns. */
interface Facts {
  readonly columns: readonly (readonly [name: string, nullable: boolean, isGenerated: boolean])[]
  readonly uniques: unknown
  readonly foreignKeys: readonly {
    readonly columns: readonly string[]
    readonly references: readonly string[]
    readonly table: string
  }[]
}

const comparable = <Of extends Facts>(facts: Of, kind: DatabaseKind) =>
  kind !== 'sqlite'
    ? facts
    : {
        ...facts,
        columns: facts.columns.map(([name, nullable]) => [name, nullable]),
        uniques: [],
        foreignKeys: sorted(
          facts.foreignKeys.flatMap(({ columns, references, table }) =>
            columns.map((column, at) => [column, table, references[at]]),
          ),
        ),
      }

const ours = ({ name, columns, primaryKey, indexes, foreignKeys }: CatalogTable) => ({
  name,
  columns: columns.map((column) => [column.name, column.nullable, column.isGenerated] as const),
  counted: columns.filter(({ identity }) => identity !== undefined).map((column) => column.name),
  primaryKey,
  uniques: sorted(indexes.filter(({ isUnique }) => isUnique).map((index) => index.columns)),
  foreignKeys: sorted(
    foreignKeys.map((key) => ({
      ...{ columns: key.columns, table: key.table, references: key.references, onDelete: key.onDelete },
    })),
  ),
})

/** MikroORM shows a table as `public.orders`. */
const bare = (name: string): string => name.replace(/^\w+\./, '')

const theirs = (table: TheirTable) => {
  const key = table.getIndexes().find(({ primary }) => primary)?.columnNames
  const columns = table.getColumns()
  return {
    name: table.name,
    columns: columns.map(
      (column) =>
        [
          column.name,
          column.nullable === true && !column.primary,
          column.generated !== undefined && !/identity/i.test(column.generated),
        ] as const,
    ),
    counted: columns.filter(({ autoincrement }) => autoincrement).map((column) => column.name),
    primaryKey: key ?? columns.filter(({ primary }) => primary).map((column) => column.name),
    uniques: sorted(
      table.getIndexes().flatMap((index) => (index.unique && !index.primary ? [index.columnNames] : [])),
    ),
    foreignKeys: sorted(
      Object.values(table.getForeignKeys()).map((foreign) => ({
        ...{ columns: foreign.columnNames, table: bare(foreign.referencedTableName) },
        ...{ references: foreign.referencedColumnNames, onDelete: foreign.deleteRule ?? 'no action' },
      })),
    ),
  }
}

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
    const { kind, database, execute, mikroOrm } = await open()
    await execute(...statementsOf(kind))
    const { tables } = await readCatalog((text) => database.run(text, [], 'all'), database.dialect)
    const schema = await mikroOrm()
    const expected = sorted(schema.getTables().map((table) => comparable(theirs(table), kind)))
    expect(expected.length).toBeGreaterThan(0)
    const found = tables.filter(({ isView }) => !isView).map((table) => comparable(ours(table), kind))
    expect(sorted(found)).toEqual(expected)
    const views = schema.getViews().map((view) => view.name)
    expect(tables.filter(({ isView }) => isView).map((view) => view.name)).toEqual(views)
  })
})
