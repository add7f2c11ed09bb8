import { StartError, suggest } from '../../error/errors.ts'
import { linesOf } from '../notes.ts'
import type { ModelSource } from '../source.ts'
import type { SqlDatabase } from '../sql/port.ts'
import { sqlSource } from '../sql/sql-source.ts'
import type { Dialect } from '../sql/text.ts'
import type { Catalog, CatalogOptions, CatalogQuery, ReadCatalog } from './facts.ts'
import { readMysql } from './read-mysql.ts'
import { readPg } from './read-pg.ts'
import { readSqlite } from './read-sqlite.ts'
import { type CatalogNaming, type CatalogTables, catalogTables } from './tables.ts'

const readers: Readonly<Record<Dialect, ReadCatalog>> = {
  ...{ sqlite: readSqlite, pg: readPg, mysql: readMysql },
}

/**
 * Reads what the catalog of a database says about its tables, in few statements, none of which reads records.
 *
 * @throws StartError for an unknown schema; the error of the driver if the database refuses
 */
export const readCatalog = async (
  query: CatalogQuery,
  dialect: Dialect,
  options: CatalogOptions = {},
): Promise<Catalog> => {
  if (dialect === 'sqlite' && options.schemas !== undefined)
    throw new StartError('SQLite does not have schemas. Leave out the option schemas.')
  return readers[dialect](query, options)
}

/** What `catalogSource` reads, and how it names it. */
export interface CatalogSourceOptions extends CatalogOptions, CatalogNaming {
  /** The names of the tables that are served, or of `only` these. @default all */
  readonly only?: readonly string[]
  /** The names of tables that are not served. @default none */
  readonly exclude?: readonly string[]
}

/** A source, and what it does not serve as it stands in the database. */
export interface CatalogSource extends Omit<CatalogTables, 'tables'> {
  readonly source: ModelSource
}

/**
 * Makes a source of all tables and views of a database, from its catalog.
 *
 * @throws StartError if the database has no tables to serve, or not those that are named
 */
export const catalogSource = async (
  database: SqlDatabase,
  options: CatalogSourceOptions = {},
): Promise<CatalogSource> => {
  const { only, exclude = [], ...others } = options
  const catalog = await readCatalog((text) => database.run(text, [], 'all'), database.dialect, others)
  const names = catalog.tables.map(({ name }) => name)
  for (const name of [...(only ?? []), ...exclude])
    if (!names.includes(name))
      throw new StartError(`The database does not have the table ${name}.${suggest(name, names)}`)
  const chosen = catalog.tables.filter(
    ({ name }) => (only?.includes(name) ?? true) && !exclude.includes(name),
  )
  const { tables, ...about } = catalogTables({ ...catalog, tables: chosen }, database.dialect, others)
  const lines = linesOf(about.notes)
  if (tables.length === 0)
    throw new StartError(['The database does not have a table that can be served.', ...lines].join(' '))
  return {
    source: sqlSource({
      name: 'catalogSource',
      database,
      tables,
      notes: [...lines, ...about.renamed.map(renamedLine)],
    }),
    ...about,
  }
}

const renamedLine = ({ place, name }: CatalogTables['renamed'][number]): string =>
  `${JSON.stringify(place)} has the name ${name}.`
