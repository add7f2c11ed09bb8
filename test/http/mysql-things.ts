import { int, mysqlTable, varchar } from 'drizzle-orm/mysql-core'
import { drizzle } from 'drizzle-orm/mysql2'
import type { Pool } from 'mysql2/promise'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { controllerFor } from '../../src/index.ts'
import { onFetch } from '../stage/apps.ts'
import { senderTo } from '../stage/requests.ts'
import type { ThingHooks } from './hooked.ts'

const things = mysqlTable('things', {
  id: int().primaryKey().autoincrement(),
  name: varchar({ length: 100 }).notNull(),
})

/** Makes the table of things. */
export const createThings: string =
  'create table things (id int primary key auto_increment, name varchar(100) not null)'

export interface Answered {
  readonly status: number
  readonly code: unknown
}

export type Send = (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) => Promise<Answered>

/** Serves one model, `Thing`, over a pool. */
export const serveThings = async (pool: Pool, hooks: ThingHooks = {}): Promise<Send> => {
  const models = drizzleModels(drizzle(pool), { things })
  const app = await onFetch({ models, controllers: [controllerFor('Thing', hooks as never)] }, { base: '' })
  const send = senderTo(app)
  return async (method, path, body) => {
    const { status, json } = await send(method, path, { body })
    return { status, code: json['code'] }
  }
}
