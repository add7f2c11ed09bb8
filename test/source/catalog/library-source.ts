import type { ModelSource } from '../../../src/entry/source.ts'
import type { SqlColumn, SqlDatabase, SqlTable } from '../../../src/entry/sql.ts'
import { readCatalog } from '../../../src/source/catalog/index.ts'
import { catalogTables } from '../../../src/source/catalog/tables.ts'
import { sourceOver } from '../sql/handle-contract.ts'
import { libraryTables } from '../sql/library-tables.ts'

/** `published_on` -> `publishedOn`, as the contract of sources names its fields. */
export const camelCase = (column: string): string =>
  column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/**
 * What no catalog says: that a text holds JSON of any kind, that JSON is a list of texts, and that a text is a UUID. MySQL shows the
 * default of a `timestamp` in the time zone of the connection.
 */
const beyond = ['signature', 'tags']

/** What only the author of an application knows about the library, over what its catalog says. */
const refined = (table: SqlTable, stated: SqlTable | undefined, unsaid: readonly string[]): SqlTable => ({
  ...table,
  columns: table.columns.map((column): SqlColumn => {
    const known = stated?.columns.find(({ name }) => name === column.name)
    if (known === undefined) return column
    if (unsaid.includes(column.name)) return known
    return {
      ...column,
      ...(known.kind === 'uuid' && { kind: known.kind }),
      ...(known.makeDefault && { makeDefault: known.makeDefault }),
    }
  }),
})

/** The tables of the library as its catalog describes them. */
export const libraryFromCatalog = async (database: SqlDatabase): Promise<readonly SqlTable[]> => {
  const catalog = await readCatalog((text) => database.run(text, [], 'all'), database.dialect)
  const stated = libraryTables(database.dialect)
  const { tables } = catalogTables(catalog, database.dialect, {
    fieldName: camelCase,
    keys: { cheap_books: ['id'] },
  })
  const unsaid = database.dialect === 'mysql' ? [...beyond, 'builtAt'] : beyond
  return tables.map((table) =>
    refined(
      table,
      stated.find(({ name }) => name === table.name),
      unsaid,
    ),
  )
}

export const librarySource = async (database: SqlDatabase): Promise<ModelSource> =>
  sourceOver(database, await libraryFromCatalog(database))
