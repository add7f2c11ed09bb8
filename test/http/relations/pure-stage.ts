import type { ModelConfig } from '../../../src/index.ts'
import { openSqlite } from '../../stage/databases.ts'
import { inTest, type ServiceOptions, serve } from '../../stage/service.ts'
import { ddl, tables } from './page-shop.ts'

const rows = `;
  insert into customers values (1, 'Ada', 'Berlin');
  insert into orders values (1, 1, 'open'), (2, null, 'open'), (3, null, 'done');
  insert into tags values (1, 'red'), (2, 'new'), (3, 'old');
  insert into order_tags values (1, 1), (1, 2), (2, 2)`

/** Who a test says that they are. */
const userIn = (request: unknown): string | undefined =>
  (request as { headers: Readonly<Record<string, string>> }).headers['x-user']

const auth = {
  authenticate: (request: unknown) => {
    const id = userIn(request)
    return id === undefined ? null : { id, claims: {} }
  },
} as never

export const isAda = { read: (request: unknown): boolean => userIn(request) === 'ada' }
/** Bob reads each record of which he knows the key. */
export const isKnown = {
  read: (request: unknown, record?: object) => record !== undefined || isAda.read(request),
}
export const as = (user: string, body?: object) => ({ headers: { 'x-user': user }, ...(body && { body }) })

export type Configs = Readonly<Record<string, ModelConfig>>

export const open: Configs = { Order: { public: true, write: ['tags'] }, Tag: { public: 'read' } }

/** A shop whose orders and tags anyone may read, and whose orders anyone may write, with their tags. */
export const start = ({ modelConfig, ...options }: ServiceOptions = {}, more = '') => {
  const database = openSqlite(tables, ddl + rows + more)
  return inTest(serve(database, { auth, modelConfig: { ...open, ...modelConfig } as never, ...options }))
}
