// One map of PostgreSQL's tables is one app; registered and used through `modelrest/fastify`, all in one file.
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import {
  integer,
  pgEnum,
  pgMaterializedView,
  pgSchema,
  pgTable,
  serial,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import Fastify, { type FastifyRequest } from 'fastify'
import { drizzleModels } from 'modelrest/drizzle'
import {
  BaseModelController,
  type BeforeCreate,
  type BeforeList,
  controllerFor,
  type HookContext,
  type InsertOf,
  type ModelName,
  ModelRest,
  type RecordOf,
  type ScopeHook,
} from 'modelrest/fastify'
import type { Same } from '../../same.ts'

const mood = pgEnum('mood', ['sad', 'happy'])
const library = pgSchema('library')
const people = pgTable('people', { id: serial().primaryKey(), mood: mood().notNull(), bossId: integer() })
const books = library.table('books', { id: uuid().primaryKey().defaultRandom(), title: text().notNull() })
const titles = pgMaterializedView('titles').as((query) => query.select({ title: books.title }).from(books))
const manual = pgMaterializedView('manual', { id: integer().notNull() }).existing()

const db = drizzle('postgres://localhost/library')
export const models = drizzleModels(db, { mood, library, people, books, titles, manual })

declare module 'modelrest/fastify' {
  interface Register {
    models: typeof models
  }
}

export const names: Same<ModelName, 'Person' | 'Book' | 'Title' | 'Manual'> = true
export const record: Same<RecordOf<'Person'>, typeof people.$inferSelect> = true
export const title: Same<RecordOf<'Title'>, { title: string }> = true
export const book: Same<InsertOf<'Book'>, typeof books.$inferInsert> = true
export const intoView: Same<InsertOf<'Manual'>, never> = true
export const handle: Same<HookContext['db'], NodePgDatabase> = true

export const PersonController = controllerFor('Person', {
  beforeCreate(request, payload) {
    const known: Same<typeof request, FastifyRequest> = true
    request.log.info({ agent: request.headers['user-agent'], address: request.raw.socket.remoteAddress })
    if (known && payload.mood === 'sad') return { ...payload, mood: 'happy' }
    return undefined
  },
  async afterDelete(_request, record, { db: handle }) {
    await handle.insert(books).values({ title: record.mood })
    await handle.transaction((inner) => inner.delete(books))
  },
  scope: () => ({ mood: ['sad', 'happy'], boss: { mood: 'happy' } }),
})
export const BookController = controllerFor(
  'Book',
  class extends BaseModelController {
    static beforeCreate: BeforeCreate<'Book'> = async ({ query }, payload) => ({
      ...payload,
      title: `${query}`,
    })
    static beforeList: BeforeList<'Book'> = (request, query) => {
      request.log.info(query.limit)
    }
    static scope: ScopeHook<'Book'> = (request) => ({ id: request.id })
  },
)

const app = Fastify()
export const rest = new ModelRest(app, {
  models,
  exclude: { app: ['Title'] },
  modelConfig: { Person: { readOnly: ['bossId'] } },
})

controllerFor('Person', {
  // @ts-expect-error It is no mood.
  beforeCreate: (_request, payload) => ({ ...payload, mood: 'angry' }),
})
controllerFor('Person', {
  // @ts-expect-error It is no Request of Fetch.
  beforeCreate: (request) => void request.text(),
})
// @ts-expect-error The enum is no model.
controllerFor('Mood', {})
// @ts-expect-error There is one app, `app`.
new ModelRest(app, { models, exclude: { library: true } })
