import type { FastifyRequest } from 'fastify'
import { onTestFinished } from 'vitest'
import type { Hooks, Permissions } from '../../../src/controller/controller.ts'
import { type Actions, controllerFor, type ModelRest, type ModelRestOptions } from '../../../src/index.ts'
import { type Entry, type Host, onFastify, onFetch } from '../../stage/apps.ts'
import { openPglite, openSqlite, type Row, type TestDatabase } from '../../stage/databases.ts'
import { openMysql } from '../../stage/mysql.ts'
import { openPostgres } from '../../stage/postgres.ts'
import { type Answer, type Method, type Sent, senderTo } from '../../stage/requests.ts'
import { ddlOf, tables } from './tables.ts'

/** A controller of tickets, or of another model. */
export type Parts = Hooks<string, FastifyRequest> & {
  readonly permissions?: Permissions<string, FastifyRequest, string>
  readonly actions?: Actions<string, FastifyRequest>
}

export interface DeskOptions extends Partial<ModelRestOptions> {
  readonly host?: Host
  /** The controllers of other models. */
  readonly others?: Readonly<Record<string, Parts>>
}

/** A running help desk, for the length of a test. */
export interface Desk {
  readonly rest: ModelRest
  /** @param body sent as JSON; a string is sent as it is */
  send(method: Method, path: string, body?: unknown, headers?: Sent['headers']): Promise<Answer>
  ticket(id: number): Promise<Row | undefined>
  execute: TestDatabase['execute']
  rows: TestDatabase['rows']
  /** The statements since the last time that this was called. */
  takeStatements(): readonly string[]
  /** What the log has of errors. */
  readonly errors: readonly string[]
  /** The other lines of the log. */
  readonly lines: readonly string[]
}

export type Start = (ticket: Parts, options?: DeskOptions) => Promise<Desk>

const starting =
  (open: (onStatement: (text: string) => void) => Promise<TestDatabase>): Start =>
  async (ticket, { host = onFastify, others = {}, ...options } = {}) => {
    let statements: string[] = []
    const database = await open((text) => statements.push(text))
    onTestFinished(database.close)
    const errors: string[] = []
    const lines: string[] = []
    const onEntry = ({ level, line, details }: Entry): void => {
      if (level === 'error') errors.push(`${line} ${JSON.stringify(details)}`)
      else lines.push(line)
    }
    const all = { Ticket: ticket, ...others }
    const controllers = Object.entries(all).map(([name, own]) => controllerFor(name, own as never))
    const app = await host({ models: database.models, controllers, ...options }, { base: '', onEntry })
    onTestFinished(app.stop)
    const send = senderTo(app)
    return {
      ...{ rest: app.rest, execute: database.execute, rows: database.rows, errors, lines },
      send: (method, path, body, headers) => send(method, path, { body, ...(headers && { headers }) }),
      ticket: async (id) => (await database.rows(`select * from tickets where id = ${id}`))[0],
      takeStatements: () => {
        const taken = statements
        statements = []
        return taken
      },
    }
  }

export const lite = starting(async (onStatement) =>
  openSqlite(tables.sqlite, ddlOf('sqlite'), { onStatement }),
)

/** Databases in this process, and both hosts. */
export const desks: readonly (readonly [string, Start])[] = [
  ['better-sqlite3', lite],
  [
    'better-sqlite3 in one tick, on fetch',
    (ticket, options) => lite(ticket, { isAsync: false, host: onFetch, ...options }),
  ],
  ['PGlite', starting((onStatement) => openPglite(tables.postgres, ddlOf('postgres'), { onStatement }))],
]

const connections = 6

export const servers = {
  postgres: starting((onStatement) =>
    openPostgres(tables.postgres, ddlOf('postgres'), { onStatement, connections }),
  ),
  mariadb: starting((onStatement) =>
    openMysql('mariadb', tables.mysql, ddlOf('mysql'), { onStatement, connections }),
  ),
  mysql: starting((onStatement) =>
    openMysql('mysql', tables.mysql, ddlOf('mysql'), { onStatement, connections }),
  ),
}

/** What a test asserts of an error: status, code, and each issue with its pointer. */
export const refusalOf = ({ status, json }: Answer): readonly unknown[] => [
  status,
  json['code'],
  ...((json['errors'] ?? []) as readonly Row[]).map(
    ({ pointer, parameter, code }) => `${pointer ?? parameter} ${code}`,
  ),
]
