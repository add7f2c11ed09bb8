import type { DatabaseSchema } from '@mikro-orm/sql'
import { expect } from 'vitest'
import type { CatalogTable } from '../../../src/source/catalog/facts.ts'
import { readCatalog } from '../../../src/source/catalog/index.ts'
import type { DatabaseKind, EmptyDatabase } from './databases.ts'

type TheirTable = ReturnType<DatabaseSchema['getTables']>[number]

const sorted = <Of>(all: readonly Of[]): readonly Of[] =>
  all.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))

/** In SQLite, MikroORM has a foreign key for each column of one, and neither unique constraints nor all computed columns and keys that count up. */
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
        counted: [],
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

/** Expects that our reader and that of MikroORM find the same in a database. */
export const expectSame = async ({ kind, database, mikroOrm }: EmptyDatabase): Promise<void> => {
  const { tables } = await readCatalog((text) => database.run(text, [], 'all'), database.dialect)
  const schema = await mikroOrm()
  const expected = sorted(schema.getTables().map((table) => comparable(theirs(table), kind)))
  expect(expected.length).toBeGreaterThan(0)
  const found = tables.filter(({ isView }) => !isView).map((table) => comparable(ours(table), kind))
  expect(sorted(found)).toEqual(expected)
  const views = schema.getViews().map((view) => view.name)
  expect(tables.filter(({ isView }) => isView).map((view) => view.name)).toEqual(views)
}
