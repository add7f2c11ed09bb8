// Serves things with bulk writes: node test/faults/bulk-process.ts <url>. Writes where it listens, and when a request is in the middle.

import { drizzle } from 'drizzle-orm/node-postgres'
import { integer, pgTable, serial, text } from 'drizzle-orm/pg-core'
import Fastify from 'fastify'
import pg from 'pg'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { ModelRest } from '../../src/entry/fastify.ts'
import { controllerFor } from '../../src/index.ts'

const things = pgTable('things', {
  id: serial().primaryKey(),
  name: text().notNull(),
  times: integer().notNull().default(0),
})
const pool = new pg.Pool({ connectionString: process.argv[2] ?? '' })
pool.on('error', () => undefined)
const app = Fastify()
const waitAt = (_request: never, record: { readonly name: string }): Promise<void> | undefined => {
  if (record.name !== 'wait') return undefined
  process.stdout.write('in the middle\n')
  return new Promise(() => setInterval(() => undefined, 1000))
}
await new ModelRest(app, {
  models: drizzleModels(drizzle(pool), { things }),
  modelConfig: { Thing: { bulk: true } },
  controllers: [controllerFor('Thing', { afterCreate: waitAt, afterUpdate: waitAt } as never)],
  settings: { TRANSACTION_TIMEOUT: 60 },
} as never).init()
process.stdout.write(`${await app.listen({ port: 0 })}\n`)
