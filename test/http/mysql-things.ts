import { int, mysqlTable, varchar } from 'drizzle-orm/mysql-core'
import { drizzle } from 'drizzle-orm/mysql2'
import type { Pool } from 'mysql2/promise'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { controllerFor, fetchApp, ModelRest } from '../../src/entry/fetch.ts'
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
  const app = fetchApp()
  const models = drizzleModels(drizzle(pool), { things })
  await new ModelRest(app, { models, controllers: [controllerFor('Thing', hooks as never)] }).init()
  return async (method, path, body) => {
    const json = body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const reply = await app.fetch(new Request(`http://localhost${path}`, { method, ...json }))
    const { code } = (await reply.json()) as { code?: unknown }
    return { status: reply.status, code }
  }
}
