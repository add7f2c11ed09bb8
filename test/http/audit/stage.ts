import { counted, type Declared, int, maybe, text, to } from '../../stage/columns.ts'
import type { Row } from '../../stage/databases.ts'
import { declare } from '../../stage/declared.ts'
import type { Answer, Method } from '../../stage/requests.ts'
import { inTest, kindsOf, type Service, type ServiceOptions, startsOf } from '../../stage/service.ts'

const key = { key: 'given' } as const

const declared: Declared = {
  teams: { id: counted, name: text(50, { unique: true }) },
  tickets: {
    ...{ id: counted, title: text(20), opened: maybe('time'), revision: int({ default: 1 }) },
    ...{ api_token: maybe('text'), created_by: maybe('text'), updated_by: maybe('text') },
    ...{ updated_at: maybe('time'), note: maybe('text') },
  },
  items: { id: counted, ticket_id: to('tickets'), name: text(20), maker: maybe('text') },
  links: { ticket_id: to('tickets', key), team_id: to('teams', key) },
}

const around = {
  audit: true,
  rows: [
    "insert into teams (id, name) values (91, 'red'), (92, 'blue')",
    "insert into tickets (id, title, api_token, note) values (90, 'old', 'abc', 'mind')",
  ],
}

/** The tables on SQLite. */
export const sqlite = declare(declared, around).sqlite.tables

/** What an entry says, apart from its key and its time. */
export interface Entry {
  readonly caller: string | null
  readonly act: string
  readonly model: string
  readonly record: string
  readonly changes: unknown
}

export interface Audited {
  send(
    method: Method,
    path: string,
    body?: unknown,
    user?: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>
  /** The entries since the last call, in their order. */
  entries(): Promise<readonly Entry[]>
  readonly rows: Service['rows']
}

export type Start = (options?: ServiceOptions) => Promise<Audited>

/** Callers name themselves. */
export const auth = {
  authenticate: (request: unknown) => {
    const headers: unknown = Reflect.get(Object(request), 'headers')
    const user = headers instanceof Headers ? headers.get('x-user') : Reflect.get(Object(headers), 'x-user')
    return typeof user === 'string' ? { id: user, claims: {} } : null
  },
}

/** What is served, below what a test gives. */
const configured = ({ modelConfig, ...options }: ServiceOptions): ServiceOptions => ({
  ...{ auth, audit: true },
  ...options,
  modelConfig: {
    Ticket: { public: true, hidden: ['note'], write: ['items', 'teams'] },
    Item: { public: true },
    ...{ Link: { public: true }, Team: { public: true } },
    ...modelConfig,
  } as never,
})

const starts = startsOf(declared, around, configured)

/** Reads the entries since the last call, in their order. */
export const entriesIn = (rows: Service['rows']): (() => Promise<readonly Entry[]>) => {
  let seen = 0
  return async () => {
    const found = await rows<Entry & { id: number } & Row>(
      `select id, caller, act, model, record, changes from audit_entries where id > ${seen} order by id`,
    )
    seen = Number(found.at(-1)?.id ?? seen)
    return found.map(({ id: _, changes, ...entry }) => ({
      ...entry,
      changes: typeof changes === 'string' ? JSON.parse(changes) : changes,
    }))
  }
}

const auditedOn =
  (name: keyof typeof starts): Start =>
  async (options) => {
    const { send, rows } = await inTest(starts[name](options))
    return {
      ...{ rows, entries: entriesIn(rows) },
      send: (method, path, body, user, headers = {}) =>
        send(method, path, { body, headers: { ...headers, ...(user !== undefined && { 'x-user': user }) } }),
    }
  }

const kinds = { oneTick: auditedOn('oneTick'), pglite: auditedOn('pglite'), mariadb: auditedOn('mariadb') }

export const onSqlite = auditedOn('sqlite')
export const audited = kindsOf(kinds)
