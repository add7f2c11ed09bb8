import { onTestFinished } from 'vitest'
import { controllerFor, type ModelRestOptions } from '../../../src/index.ts'
import { type Host, onFastify, onFetch } from '../../stage/apps.ts'
import { openPglite, openSqlite, type Row, type TestDatabase } from '../../stage/databases.ts'
import { openMysql } from '../../stage/mysql.ts'
import { openPostgres } from '../../stage/postgres.ts'
import { type Answer, type Method, senderTo } from '../../stage/requests.ts'
import { ddlOf, tables } from './tables.ts'

/** Callers who say that they are administrators may see deleted records. */
export const admin = { 'x-role': 'admin' }

/** A running library. */
export interface Library {
  send(
    method: Method,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>
  /** The values of a field of the items of a list. */
  listed(path: string, field?: string): Promise<readonly unknown[]>
  /** The same, of a list for administrators. */
  listedTo(
    headers: Readonly<Record<string, string>>,
    path: string,
    field?: string,
  ): Promise<readonly unknown[]>
  readonly rows: TestDatabase['rows']
  readonly execute: TestDatabase['execute']
}

export interface LibraryOptions extends Partial<ModelRestOptions> {
  /** Members of controllers by the names of their models, beside the permission `deleted`. */
  readonly hooks?: Readonly<Record<string, object>>
  readonly host?: Host
}

export const softDelete = 'deleted_at'

/** Whether a request of either host comes from an administrator. */
export const isAdmin = (request: unknown): boolean => {
  const { headers } = request as { readonly headers: Headers | Readonly<Record<string, string>> }
  const role = headers instanceof Headers ? headers.get('x-role') : headers['x-role']
  return role === 'admin'
}

export const libraryOn = async (
  opening: Promise<TestDatabase>,
  { hooks = {}, host = onFastify, modelConfig = {}, ...options }: LibraryOptions = {},
): Promise<Library> => {
  const database = await opening
  onTestFinished(database.close)
  const known = new Set(database.models.models.map(({ name }) => name))
  const restorable = ['Shelf', 'Book', 'Tag'].filter((name) => known.has(name))
  const config: Readonly<Record<string, object>> = modelConfig as Readonly<Record<string, object>>
  const controllers = [...new Set([...restorable, ...Object.keys(hooks)])].map((name) => {
    const { permissions, ...members } = (hooks[name] ?? {}) as { readonly permissions?: object }
    const own = restorable.includes(name) && { deleted: isAdmin }
    const all = Object.entries({ ...own, ...permissions }).filter(
      ([, permission]) => permission !== undefined,
    )
    return controllerFor(name, { ...members, permissions: Object.fromEntries(all) } as never)
  })
  const app = await host(
    {
      models: database.models,
      controllers,
      modelConfig: {
        ...config,
        ...Object.fromEntries(restorable.map((name) => [name, { softDelete, ...config[name] }])),
      },
      ...options,
    } as never,
    { base: '' },
  )
  onTestFinished(app.stop)
  const sender = senderTo(app)
  const send: Library['send'] = (method, path, body, headers) =>
    sender(method, path, { ...(body !== undefined && { body }), ...(headers && { headers }) })
  const listedTo: Library['listedTo'] = async (headers, path, field = 'title') => {
    const { status, json, text } = await send('GET', path, undefined, headers)
    if (status !== 200) throw new Error(text)
    return (json['items'] as readonly Row[]).map((item) => item[field])
  }
  const { rows, execute } = database
  return { send, listedTo, listed: (...given) => listedTo({}, ...given), rows, execute }
}

/** Starts a library, which ends with its test. */
export type Start = (options?: LibraryOptions) => Promise<Library>

export const onSqlite: Start = (options) =>
  libraryOn((async () => openSqlite(tables.sqlite, ddlOf('sqlite')))(), options)

export const libraries: readonly (readonly [string, Start])[] = [
  ['better-sqlite3 and Fastify', onSqlite],
  [
    'better-sqlite3 in one tick, on fetch',
    (options) => onSqlite({ isAsync: false, host: onFetch, ...options }),
  ],
  ['PGlite', (options) => libraryOn(openPglite(tables.postgres, ddlOf('postgres')), options)],
]

export const servers: Readonly<Record<'postgres' | 'mariadb' | 'mysql', Start>> = {
  postgres: (options) => libraryOn(openPostgres(tables.postgres, ddlOf('postgres')), options),
  mariadb: (options) => libraryOn(openMysql('mariadb', tables.mysql, ddlOf('mysql')), options),
  mysql: (options) => libraryOn(openMysql('mysql', tables.mysql, ddlOf('mysql')), options),
}

/** What a test asserts of an error: status, code, and each issue with its place. */
export const refusalOf = ({ status, json }: Answer): readonly unknown[] => [
  status,
  json['code'],
  ...((json['errors'] ?? []) as readonly Row[]).map(
    ({ pointer, parameter, code }) => `${pointer ?? parameter} ${code}`,
  ),
]
