import { type SQL, sql } from 'drizzle-orm'
import type { ModelRest, ModelRestOptions } from '../../src/index.ts'
import type { Entry } from '../stage/apps.ts'
import { counted, maybe, text } from '../stage/columns.ts'
import type { Answer, Method } from '../stage/requests.ts'
import { type Parts, type Service, type Start as StartService, startsOf } from '../stage/service.ts'
import { executeWithOrm } from './orm-things.ts'

export type ThingHooks = Parts

/** A running service with one model, `Thing`, and its hooks. */
export interface Hooked {
  send(
    method: Method,
    path: string,
    body?: object,
    user?: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>
  readonly execute: Service['execute']
  names(): Promise<readonly string[]>
  /** What the log has of errors: messages, and those of the errors that they carry. */
  readonly log: readonly string[]
  /** The errors of the log, with all that they carry. */
  readonly lines: readonly string[]
  /** The warnings of the log since the service started. */
  readonly warnings: readonly string[]
  readonly rest: ModelRest
  stop(): Promise<void>
}

export type Start = (hooks: ThingHooks, options?: Partial<ModelRestOptions>) => Promise<Hooked>

const starts = startsOf(
  {
    things: {
      ...{ id: counted, name: text(20, { unique: true }), slug: maybe(20), password: maybe('text') },
    },
  },
  {},
  (options) => ({ modelConfig: { Thing: { readOnly: ['slug'] } } as never, ...options }),
)

const starting =
  (start: StartService): Start =>
  async (hooks, { models: _models, ...options } = {}) => {
    const log: string[] = []
    const lines: string[] = []
    const warnings: string[] = []
    const onEntry = (entry: Entry): void => {
      if (entry.level === 'warn') warnings.push(entry.line)
      if (entry.level !== 'error') return
      lines.push(JSON.stringify(entry))
      log.push(...messagesIn(entry))
    }
    const service = await start({ parts: { Thing: hooks }, hosting: { onEntry }, ...options })
    const { rest, rows, execute, stop } = service
    warnings.length = 0
    return {
      ...{ execute, log, lines, warnings, rest, stop },
      names: async () =>
        (await rows<{ name: string }>('select name from things order by id')).map(({ name }) => name),
      send: (method, path, body, user, headers) =>
        service.ask(method, path, body, { ...headers, ...(user !== undefined && { 'x-user': user }) }),
    }
  }

const messagesIn = ({ line, details }: Entry): readonly string[] => {
  const { err } = details as { err?: { message: string; stack: string } }
  return [line, ...(err === undefined ? [] : [`${err.message}\n${err.stack}`])]
}

/** Runs a statement by the handle that a hook got. */
export const executeWith = (db: unknown, statement: string): unknown => {
  const handle = db as { run?(statement: SQL): unknown; execute?(statement: SQL): unknown }
  if (handle.run !== undefined) return handle.run(sql.raw(statement))
  return executeWithOrm(db, statement) ?? handle.execute?.(sql.raw(statement))
}

/** Opens a transaction by the handle that a hook got. */
export const transactionWith = (db: unknown, work: (inside: unknown) => unknown): Promise<unknown> =>
  (db as { transaction(work: (inside: unknown) => unknown): Promise<unknown> }).transaction(work)

export const startThings = starting(starts.sqlite)

/** Every kind of driver: one that gives values, and one that gives promises. */
export const databases = [
  ['better-sqlite3', startThings],
  ['PGlite', starting(starts.pglite)],
] as const
