import {
  CompiledQuery,
  type DialectAdapter,
  type Expression,
  type Insertable,
  type Kysely,
  MysqlAdapter,
  PostgresAdapter,
  type Selectable,
  type SqlBool,
  SqliteAdapter,
  sql,
} from 'kysely'
import { type ModelSource, StartError, type WithFiles, type WithUploads } from 'modelrest/source'
import {
  type SqlColumn,
  type SqlConnection,
  type SqlDatabase,
  type SqlDialect,
  type SqlTable,
  sqlSource,
  transactionOn,
} from 'modelrest/sql'

/** A table of a Kysely database. Fields have the names of its columns. */
export interface KyselyTable<DB, Name extends keyof DB & string>
  extends Omit<SqlTable, 'name' | 'table' | 'columns'> {
  readonly table: Name
  /** The SQL type of each column, or more about it. */
  readonly columns: {
    readonly [Column in keyof DB[Name] & string]: string | Omit<SqlColumn, 'name' | 'column'>
  }
}

/** Tables and views, by the names of their models. */
export type KyselyTables<DB> = Readonly<
  Record<string, { [Name in keyof DB & string]: KyselyTable<DB, Name> }[keyof DB & string]>
>

/** The compile-time types of the models of `kyselyModels(db, tables)`. */
export interface KyselyTypes<DB, Given extends KyselyTables<DB>> {
  readonly db: Kysely<DB>
  /** The result of `scope()` of `rest.context()`, for `where` of a query. */
  readonly condition: Expression<SqlBool>
  readonly models: {
    readonly [Name in keyof Given & string]: {
      readonly app: 'app'
      readonly name: Name
      readonly record: Selectable<DB[Given[Name]['table']]>
      readonly insert: Insertable<DB[Given[Name]['table']]>
      readonly payload: WithUploads<Insertable<DB[Given[Name]['table']]>>
      readonly stored: WithFiles<Insertable<DB[Given[Name]['table']]>>
    }
  }
}

/**
 * Creates a model for each table, and reads and writes its records through `db`.
 *
 * @throws StartError if `db` is not for SQLite, PostgreSQL or MySQL, or a table is described wrongly
 */
export const kyselyModels = <DB, const Given extends KyselyTables<DB>>(
  db: Kysely<DB>,
  tables: Given,
): ModelSource<KyselyTypes<DB, Given>> =>
  sqlSource<KyselyTypes<DB, Given>>({
    name: 'kyselyModels',
    database: databaseOf(db),
    tables: Object.entries<KyselyTables<DB>[string]>(tables).map(([name, table]) => ({
      ...table,
      name,
      columns: Object.entries<string | Omit<SqlColumn, 'name'>>(table.columns).map(([column, about]) =>
        typeof about === 'string' ? { name: column, type: about } : { ...about, name: column },
      ),
    })),
    migrate: 'npx kysely migrate:latest',
    conditionOf: (strings, values) => sql<SqlBool>(Object.assign([...strings], { raw: strings }), ...values),
  })

const dialectOf = (adapter: DialectAdapter): SqlDialect => {
  if (adapter instanceof SqliteAdapter) return 'sqlite'
  if (adapter instanceof PostgresAdapter) return 'pg'
  if (adapter instanceof MysqlAdapter) return 'mysql'
  throw new StartError('kyselyModels: db must be a Kysely database of SQLite, PostgreSQL or MySQL.')
}

const databaseOf = <DB>(db: Kysely<DB>): SqlDatabase => {
  const dialect = dialectOf(db.getExecutor().adapter)
  return {
    ...connectionOn(db),
    dialect,
    // Kysely has one connection to SQLite, which statements of other requests would use during a transaction.
    singleConnection: dialect === 'sqlite',
    transaction: (work) =>
      db
        .connection()
        .execute(async (own) =>
          transactionOn({ dialect, execute: (text) => own.executeQuery(CompiledQuery.raw(text)) }, () =>
            work(connectionOn(own)),
          ),
        ),
  }
}

/** Runs statements where `db` does: outside of transactions, or on the connection of one. */
const connectionOn = <DB>(db: Kysely<DB>): SqlConnection => ({
  handle: db,
  run: async (text, values, fetch) => {
    const query = CompiledQuery.raw(text, [...values])
    const { rows, numAffectedRows, insertId } = await db.executeQuery(query)
    return fetch === 'outcome' ? [[numAffectedRows, insertId]] : rows
  },
})
