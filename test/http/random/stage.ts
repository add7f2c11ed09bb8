import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@libsql/client'
import { drizzle } from 'drizzle-orm/libsql'
import { controllerFor, type ModelRestOptions } from '../../../src/index.ts'
import { type Entry, type Host, onFastify, onFetch } from '../../stage/apps.ts'
import { modelsOf, openPglite, openSqlite, type Row, type TestDatabase } from '../../stage/databases.ts'
import { openMysql } from '../../stage/mysql.ts'
import { openPostgres } from '../../stage/postgres.ts'
import { type Send, senderTo } from '../../stage/requests.ts'
import { ormLibraries } from '../deleted/orms.ts'
import { ddlOf, tables } from './tables.ts'

/** What identifies the state of a book: a number, a time, or a hash of what the caller sees. */
export type Mode = 'counter' | 'time' | 'hash'

/** What a library has. */
export interface Extent {
  /** Tags, stamps, an audit log and versions by time, besides books and reviews. */
  readonly isWhole: boolean
  /** The column of books that counts their writes. */
  readonly counter: 'revision' | 'tenant'
}

/** A running library, served in each mode from the same tables. */
export interface Library extends Extent {
  readonly send: Readonly<Partial<Record<Mode, Send>>>
  readonly rows: TestDatabase['rows']
  /** Lines that were logged as errors. */
  readonly errors: string[]
  /** Removes all books, and what belongs to them. */
  empty(): Promise<void>
  stop(): Promise<void>
}

const headerOf = (request: unknown, name: string): string | undefined => {
  const { headers } = request as { readonly headers: Headers | Readonly<Record<string, string>> }
  return (headers instanceof Headers ? headers.get(name) : headers[name]) ?? undefined
}

/** The most records that one request may write. */
export const BULK_MAX = 5

const optionsOf = (models: TestDatabase['models'], mode: Mode, { isWhole, counter }: Extent): object => {
  const version = { counter, time: 'changed', hash: undefined }[mode]
  const plain = { public: true, bulk: true }
  return {
    models,
    audit: isWhole,
    // Sequences without a pause are no overload.
    settings: { BULK_MAX, MAX_WAITING: 0 },
    auth: {
      authenticate: (request: unknown) => {
        const user = headerOf(request, 'x-user')
        return user === undefined ? null : { id: user, claims: {} }
      },
    },
    controllers: [
      controllerFor('Book', {
        permissions: { deleted: (request: unknown) => headerOf(request, 'x-role') === 'admin' },
      } as never),
    ],
    modelConfig: {
      Book: {
        ...{ ...plain, softDelete: 'deleted_at', write: isWhole ? ['reviews', 'tags'] : ['reviews'] },
        ...(version !== undefined && { version }),
        ...(isWhole && {
          stamps: { created_by: 'caller on create', updated_by: 'caller', updated_at: 'now' },
        }),
      },
      Review: plain,
      ...(isWhole && { Tag: { public: true }, BookTag: { public: true } }),
    },
  }
}

interface ServeOptions extends Partial<Extent> {
  readonly host?: Host
  readonly isAsync?: boolean
}

/** Serves a database, in each mode. */
export const serveLibrary = async (
  { models, rows, execute, close }: TestDatabase,
  { isWhole = true, counter = 'revision', host = onFastify, isAsync = true }: ServeOptions = {},
): Promise<Library> => {
  const errors: string[] = []
  const onEntry = ({ level, line, details }: Entry): void => {
    if (level === 'error') errors.push(`${line} ${JSON.stringify(details).slice(0, 2000)}`)
  }
  const names: readonly Mode[] = isWhole ? ['counter', 'time', 'hash'] : ['counter', 'hash']
  const apps = await Promise.all(
    names.map(async (mode) => {
      const options = {
        ...optionsOf(models, mode, { isWhole, counter }),
        isAsync,
      } as Partial<ModelRestOptions>
      return [mode, await host(options, { base: '', onEntry })] as const
    }),
  )
  return {
    ...{ isWhole, counter, errors, rows },
    send: Object.fromEntries(apps.map(([mode, app]) => [mode, senderTo(app)])),
    empty: async () => {
      for (const table of ['book_tags', 'reviews', 'books']) await execute(`delete from ${table}`)
      if (isWhole) await execute('delete from audit_entries')
    },
    stop: async () => {
      for (const [, app] of apps) await app.stop()
      await close()
    },
  }
}

const openLibsql = async (): Promise<TestDatabase> => {
  const folder = mkdtempSync(join(tmpdir(), 'modelrest-random-'))
  const client = createClient({ url: `file:${join(folder, 'library.db')}` })
  await client.executeMultiple(ddlOf('sqlite'))
  return {
    models: modelsOf(drizzle(client), tables.sqlite, {}),
    execute: (statements) => client.executeMultiple(statements),
    rows: async <Found extends Row>(query: string) =>
      (await client.execute(query)).rows as unknown as readonly Found[],
    close: async () => {
      client.close()
      rmSync(folder, { recursive: true })
    },
  }
}

type Open = () => Promise<Library>

/** In this process. */
export const embedded: Readonly<Record<string, Open>> = {
  'better-sqlite3 in one tick': async () =>
    serveLibrary(openSqlite(tables.sqlite, ddlOf('sqlite')), { host: onFetch, isAsync: false }),
  'better-sqlite3': async () => serveLibrary(openSqlite(tables.sqlite, ddlOf('sqlite'))),
  libsql: async () => serveLibrary(await openLibsql()),
  PGlite: async () => serveLibrary(await openPglite(tables.postgres, ddlOf('postgres'))),
}

export const onServers: Readonly<Record<'postgres' | 'mariadb' | 'mysql', Open>> = {
  postgres: async () => serveLibrary(await openPostgres(tables.postgres, ddlOf('postgres'))),
  mariadb: async () => serveLibrary(await openMysql('mariadb', tables.mysql, ddlOf('mysql'))),
  mysql: async () => serveLibrary(await openMysql('mysql', tables.mysql, ddlOf('mysql'))),
}

/** With an ORM besides Drizzle, on PostgreSQL. */
export const withOrms: Readonly<Record<string, Open>> = Object.fromEntries(
  Object.entries(ormLibraries).map(([name, open]) => [
    name,
    async () => {
      const database = await open()
      await database.execute('alter table reviews add check (stars <= 5)')
      return serveLibrary(database, { isWhole: false, counter: 'tenant' })
    },
  ]),
)
