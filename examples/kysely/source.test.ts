import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { CompiledQuery, type Expression, Kysely, PostgresDialect, type SqlBool, SqliteDialect } from 'kysely'
import { type OpenedSource, sourceContract } from 'modelrest/testing'
import { Pool } from 'pg'
import { type AnyDatabase, createStatements, tablesFor } from './library.ts'
import { kyselyModels } from './source.ts'

const runner = { describe, it, before, after }

interface Opened {
  readonly db: Kysely<AnyDatabase>
  readonly dialect: 'sqlite' | 'pg'
  /** Stores in all books what the field cannot represent. */
  readonly spoiling: { readonly statement: string; readonly field: string }
  /** Closes the connections. */
  end(): unknown
  remove(): Promise<unknown>
}

const opened = async ({ db, dialect, spoiling, end, remove }: Opened): Promise<OpenedSource> => {
  const execute = (statement: string) => db.executeQuery(CompiledQuery.raw(statement))
  for (const statement of createStatements(dialect)) await execute(statement)
  return {
    source: kyselyModels(db, tablesFor(dialect)),
    find: (model, condition) =>
      db
        .selectFrom(model)
        .selectAll()
        .where(condition as Expression<SqlBool>)
        .execute(),
    useHandle: (handle) => (handle as Kysely<AnyDatabase>).selectFrom('Author').selectAll().execute(),
    drop: (model, field) =>
      execute(
        field === undefined ? `drop table "${model}"` : `alter table "${model}" drop column "${field}"`,
      ),
    breakValue: async () => {
      await execute(spoiling.statement)
      return spoiling.field
    },
    kill: end,
    close: remove,
    // Columns of SQLite hold any number of digits.
    ...(dialect === 'sqlite' && { unenforced: ['value'] }),
  }
}

sourceContract(runner, {
  name: 'kyselyModels on SQLite',
  open: () => {
    const folder = mkdtempSync(join(tmpdir(), 'library-'))
    const database = new Database(join(folder, 'library.db'))
    // The suite deletes records one by one, each in a transaction of its own.
    database.pragma('synchronous = off')
    return opened({
      ...{ db: new Kysely({ dialect: new SqliteDialect({ database }) }), dialect: 'sqlite' },
      spoiling: { statement: 'update "Book" set "pages" = 9007199254740993', field: 'pages' },
      end: () => database.close(),
      remove: async () => {
        database.close()
        rmSync(folder, { recursive: true })
      },
    })
  },
})

/** A server with the right to create databases, such as `postgres://localhost/postgres`. */
const { DATABASE_URL } = process.env

if (DATABASE_URL !== undefined)
  sourceContract(runner, {
    name: 'kyselyModels on PostgreSQL',
    open: async () => {
      const name = `library_${crypto.randomUUID().replaceAll('-', '')}`
      const server = new Pool({ connectionString: DATABASE_URL, max: 1 })
      await server.query(`create database ${name}`)
      const url = new URL(DATABASE_URL)
      url.pathname = name
      const pool = new Pool({ connectionString: url.href, max: 4 })
      return opened({
        ...{ db: new Kysely({ dialect: new PostgresDialect({ pool }) }), dialect: 'pg' },
        spoiling: { statement: `update "Book" set "soldAt" = 'infinity'`, field: 'soldAt' },
        end: () => pool.end(),
        remove: async () => {
          if (!pool.ended) await pool.end()
          await server.query(`drop database ${name}`)
          await server.end()
        },
      })
    },
  })
