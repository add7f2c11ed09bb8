import type { ModelRest, ModelRestOptions } from '../../src/index.ts'
import { onFastify } from './apps.ts'
import { type Column, counted, int, maybe, text, to } from './columns.ts'
import { openSqlite, type Row, type TestDatabase } from './databases.ts'
import { declare } from './declared.ts'
import { type Answer, type Method, senderTo } from './requests.ts'

const boolean = (value: boolean): Column => ({ type: 'boolean', default: value })

const { tables, ddl } = declare(
  {
    users: {
      ...{ id: counted, email: text(40, { unique: true }), username: maybe(20, { unique: true }) },
      ...{ name: maybe(40), locale: maybe({ of: ['en', 'de'] }), password: text(255) },
      ...{ role: text(undefined, { default: 'member' }), is_staff: boolean(false), is_active: boolean(true) },
      ...{ credits: int({ default: 0 }), reset_token: maybe('text') },
      ...{ invited_by: to('users', { nullable: true }), note: maybe('text'), disabled_at: maybe('time') },
    },
    orders: { id: counted, label: text(), user_id: to('users', { nullable: true }) },
  },
  {
    rows: [
      `insert into users (email, username, name, password, reset_token, note) values
        ('ada@example.com', 'ada', 'Ada', 'the hash of ada', 'the token of ada', 'a note'),
        ('bob@example.com', 'bob', 'Bob', 'the hash of bob', 'the token of bob', 'a note'),
        ('Eve@Example.com', null, 'Eve', '', null, null)`,
    ],
  },
).sqlite

/** A running service with users that are served and `Order`, which refers to them. Users: 1 Ada, 2 Bob, 3 Eve. */
export interface Stage {
  /** @param user the key of the caller; absent: somebody anonymous */
  send(method: Method, path: string, user?: number | string, body?: unknown): Promise<Answer>
  rows(query: string): Promise<readonly Row[]>
  readonly models: TestDatabase['models']
  readonly rest: ModelRest
  stop(): Promise<void>
}

export type Options = Partial<Omit<ModelRestOptions, 'models'>>
export type Start = (options?: Options) => Promise<Stage>

/** Who a test says that they are, on either host. */
const authenticate = ({ headers }: { headers: Headers | Readonly<Record<string, unknown>> }) => {
  const user = headers instanceof Headers ? headers.get('x-user') : headers['x-user']
  return typeof user === 'string' ? { id: /^\d+$/.test(user) ? Number(user) : user, claims: {} } : null
}

export const usersOnSqlite = async (): Promise<TestDatabase> => openSqlite(tables, ddl)

export const startUsers: Start = async (options = {}) => {
  const { models, rows, close } = await usersOnSqlite()
  const app = await onFastify(
    {
      ...{ models, controllers: [], auth: { authenticate } as never },
      modelConfig: { User: { internal: false } },
      ...options,
    },
    { base: '' },
  )
  const send = senderTo(app)
  return {
    ...{ models, rest: app.rest, rows },
    send: (method, path, user, body) =>
      send(method, path, { body, ...(user !== undefined && { headers: { 'x-user': String(user) } }) }),
    stop: async () => {
      await app.stop()
      await close()
    },
  }
}
