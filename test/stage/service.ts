import type { FastifyRequest } from 'fastify'
import { onTestFinished } from 'vitest'
import type { ComputedFields } from '../../src/controller/computed.ts'
import type { Hooks, Permissions } from '../../src/controller/controller.ts'
import { type Actions, controllerFor, type ModelRest, type ModelRestOptions } from '../../src/index.ts'
import type { Subject } from '../needed-program.ts'
import { type Entry, type Host, type Hosting, onFastify, onFetch } from './apps.ts'
import type { Declared } from './columns.ts'
import {
  type OpenOptions,
  openPglite,
  openSqlite,
  type Row,
  type ServerOptions,
  type TestDatabase,
} from './databases.ts'
import { type Around, declare } from './declared.ts'
import { openMysql } from './mysql.ts'
import { openPostgres } from './postgres.ts'
import { type Answer, type Method, type Send, senderTo } from './requests.ts'

/** A controller of any model. */
export type Parts = Hooks<string, FastifyRequest> & {
  readonly permissions?: Permissions<string, FastifyRequest, string>
  readonly actions?: Actions<string, FastifyRequest>
  readonly computed?: ComputedFields<string>
}

export interface ServiceOptions extends Partial<Omit<ModelRestOptions, 'models'>> {
  /** Controllers by the names of their models. */
  readonly parts?: Readonly<Record<string, Parts>>
  /** @default onFastify */
  readonly host?: Host
  /** @default under no path */
  readonly hosting?: Hosting
}

/** A running service, and its database. */
export interface Service extends Pick<TestDatabase, 'models' | 'rows' | 'execute'> {
  readonly rest: ModelRest
  readonly port: number | undefined
  readonly send: Send
  /** The same, for a test that sends little more than bodies. */
  ask(
    method: Method,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>
  /** The statements since the last time that this was called. */
  takeStatements(): readonly string[]
  /** The log at info and above, with all that its entries carry. */
  readonly entries: readonly Entry[]
  /** Its errors, with all that they carry. */
  readonly errors: readonly string[]
  /** The lines of what is no error. */
  readonly lines: readonly string[]
  stop(): Promise<void>
}

/** Serves a database. @param statements that it gets, as they come */
export const serve = async (
  database: TestDatabase,
  { parts, host = onFastify, hosting, ...options }: ServiceOptions = {},
  statements: string[] = [],
): Promise<Service> => {
  const entries: Entry[] = []
  const errors: string[] = []
  const lines: string[] = []
  const onEntry = (entry: Entry): void => {
    entries.push(entry)
    if (entry.level === 'error') errors.push(`${entry.line} ${JSON.stringify(entry.details)}`)
    else lines.push(entry.line)
  }
  const { models, rows, execute } = database
  const controllers = Object.entries(parts ?? {}).map(([name, own]) => controllerFor(name, own as never))
  const given = { models, controllers, ...options } as Partial<ModelRestOptions>
  const app = await host(given, { base: '', onEntry, ...hosting }).catch(async (error: unknown) => {
    await database.close()
    throw error
  })
  const send = senderTo(app)
  return {
    ...{ models, rows, execute, rest: app.rest, port: app.port, send, entries, errors, lines },
    ask: (method, path, body, headers) => send(method, path, { body, ...(headers && { headers }) }),
    takeStatements: () => statements.splice(0),
    stop: async () => {
      await app.stop()
      await database.close()
    },
  }
}

/** Starts a service. */
export type Start = (options?: ServiceOptions) => Promise<Service>

/** A service that ends with the test. */
export const inTest = async <T extends { stop(): Promise<void> }>(starting: Promise<T>): Promise<T> => {
  const service = await starting
  onTestFinished(service.stop)
  return service
}

/** The errors of a response: its status, its code, and each issue with its place. */
export const refusalOf = ({ status, json }: Answer): readonly unknown[] => [
  status,
  json['code'],
  ...((json['errors'] ?? []) as readonly Row[]).map(
    ({ pointer, parameter, code }) => `${pointer ?? parameter} ${code}`,
  ),
]

/** Services with the same tables, one on each database. */
export interface Starts {
  readonly sqlite: Start
  /** On better-sqlite3, whose driver returns values, by the host that takes them. */
  readonly oneTick: Start
  readonly pglite: Start
  readonly postgres: Start
  readonly mariadb: Start
  readonly mysql: Start
}

/** Services with these tables. @param defaults what each of them is given, below what a test gives */
export const startsOf = (
  declared: Declared,
  around: Around = {},
  defaults: (options: ServiceOptions) => ServiceOptions = (options) => options,
): Starts => {
  const { sqlite, postgres, mysql } = declare(declared, around)
  const starting =
    (open: (options: ServerOptions) => Promise<TestDatabase>, own: ServiceOptions = {}): Start =>
    async (options = {}) => {
      const statements: string[] = []
      const logging: OpenOptions = { onStatement: (text) => statements.push(text) }
      return serve(await open({ ...logging, connections: 6 }), defaults({ ...own, ...options }), statements)
    }
  const lite = async (options: OpenOptions) => openSqlite(sqlite.tables, sqlite.ddl, options)
  return {
    sqlite: starting(lite),
    oneTick: starting(lite, { isAsync: false, host: onFetch }),
    pglite: starting((options) => openPglite(postgres.tables, postgres.ddl, options)),
    postgres: starting((options) => openPostgres(postgres.tables, postgres.ddl, options)),
    mariadb: starting((options) => openMysql('mariadb', mysql.tables, mysql.ddl, options)),
    mysql: starting((options) => openMysql('mysql', mysql.tables, mysql.ddl, options)),
  }
}

type Named<S> = readonly (readonly [name: string, start: S])[]

/** A driver that returns values, and one that returns promises: where a feature has code of its own for them. */
export const pairOf = <S>({ oneTick, pglite }: { readonly oneTick: S; readonly pglite: S }): Named<S> => [
  ['better-sqlite3 in one tick', oneTick],
  ['PGlite', pglite],
]

/** Both, and a database without RETURNING. */
export const kindsOf = <S>(starts: {
  readonly oneTick: S
  readonly pglite: S
  readonly mariadb: S
}): readonly Subject<S>[] => [...pairOf(starts), ['MariaDB', starts.mariadb, 'mariadb']]
