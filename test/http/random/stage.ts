import { controllerFor, type ModelRestOptions } from '../../../src/index.ts'
import { type Entry, type Host, onFastify, onFetch } from '../../stage/apps.ts'
import { openPglite, openSqlite, type Row, type TestDatabase } from '../../stage/databases.ts'
import { openMysql } from '../../stage/mysql.ts'
import { type Send, senderTo } from '../../stage/requests.ts'
import { kindsOf } from '../../stage/service.ts'
import { declaredPlace, orms } from '../declared-orms.ts'
import { library, small } from './tables.ts'

/** What identifies the state of a book: a number, a time, or a hash of what the caller sees. */
export type Mode = 'counter' | 'time' | 'hash'

/** What a library has. */
export interface Extent {
  /** Tags, stamps, an audit log and versions by time, besides books and reviews. */
  readonly isWhole: boolean
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

const optionsOf = (models: TestDatabase['models'], mode: Mode, { isWhole }: Extent): object => {
  const version = { counter: 'revision', time: 'changed', hash: undefined }[mode]
  const plain = { public: true, bulk: true }
  return {
    models,
    audit: isWhole,
    // Sequences without a pause are no overload, and a slow machine no fault.
    settings: { BULK_MAX, MAX_WAITING: 0, TRANSACTION_TIMEOUT: 60 },
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
  { isWhole = true, host = onFastify, isAsync = true }: ServeOptions = {},
): Promise<Library> => {
  const errors: string[] = []
  const onEntry = ({ level, line, details }: Entry): void => {
    if (level === 'error') errors.push(`${line} ${JSON.stringify(details).slice(0, 2000)}`)
  }
  const names: readonly Mode[] = isWhole ? ['counter', 'time', 'hash'] : ['counter', 'hash']
  const apps = await Promise.all(
    names.map(async (mode) => {
      const options = {
        ...optionsOf(models, mode, { isWhole }),
        isAsync,
      } as Partial<ModelRestOptions>
      return [mode, await host(options, { base: '', onEntry })] as const
    }),
  )
  return {
    ...{ isWhole, errors, rows },
    send: Object.fromEntries(apps.map(([mode, app]) => [mode, senderTo(app)])),
    empty: async () => {
      for (const table of [...(isWhole ? ['book_tags'] : []), 'reviews', 'books'])
        await execute(`delete from ${table}`)
      if (isWhole) await execute('delete from audit_entries')
    },
    stop: async () => {
      for (const [, app] of apps) await app.stop()
      await close()
    },
  }
}

type Open = () => Promise<Library>

/** Where what writes is told by the driver: one that returns values, one that returns promises, and one without RETURNING. */
export const libraries = kindsOf<Open>({
  oneTick: async () =>
    serveLibrary(openSqlite(library.sqlite.tables, library.sqlite.ddl), { host: onFetch, isAsync: false }),
  pglite: async () => serveLibrary(await openPglite(library.postgres.tables, library.postgres.ddl)),
  mariadb: async () => serveLibrary(await openMysql('mariadb', library.mysql.tables, library.mysql.ddl)),
})

const withOrm = async (orm: keyof typeof orms): Promise<Library> => {
  const place = await declaredPlace('postgres', small)
  const { models, end } = await orms[orm](place, small)
  const close = async (): Promise<void> => {
    await end()
    await place.drop()
  }
  const rows = <Found extends Row>(query: string): Promise<readonly Found[]> =>
    place.rows(query) as Promise<readonly Found[]>
  const execute = async (statement: string): Promise<void> => void (await place.rows(statement))
  return serveLibrary({ models, rows, execute, close }, { isWhole: false })
}

/** With an ORM besides Drizzle, on PostgreSQL. */
export const withOrms: Readonly<Record<string, Open>> = Object.fromEntries(
  (Object.keys(orms) as (keyof typeof orms)[]).map((orm) => [orm, () => withOrm(orm)]),
)
