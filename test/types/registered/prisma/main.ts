// The models of a Prisma schema: names, records, payloads and the transaction come from the generated client.
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { PrismaPg } from '@prisma/adapter-pg'
import {
  controllerFor,
  type HookContext,
  type InsertOf,
  type ModelName,
  ModelRest,
  nodeApp,
  type RecordOf,
} from 'modelrest/node'
import { type PrismaMetadata, type PrismaTypes, prismaModels } from 'modelrest/prisma'
import type { Same } from '../../same.ts'
import { metadata } from './generated/modelrest/metadata.ts'
import { type Mood, type Prisma, PrismaClient } from './generated/prisma/client.ts'

const adapter = new PrismaPg({ connectionString: process.env['DATABASE_URL'] })
const prisma = new PrismaClient({ adapter, omit: { person: { email: true } } }).$extends({
  // It is no column, so no record has it.
  result: { person: { label: { needs: { email: true }, compute: ({ email }) => `<${email}>` } } },
  model: { person: { rich: async () => [] } },
})
export const models = prismaModels(prisma, metadata)

declare module 'modelrest/node' {
  interface Register {
    models: typeof models
  }
}

export const names: Same<ModelName, 'Person' | 'BookItem' | 'Tag' | 'Rich'> = true
export const fields: Same<
  keyof RecordOf<'Person'>,
  'id' | 'email' | 'mood' | 'pay' | 'wakes' | 'born' | 'notes' | 'photo' | 'words' | 'bossId'
> = true
export const values: Same<
  Pick<RecordOf<'Person'>, 'id' | 'mood' | 'pay' | 'wakes' | 'born' | 'words'>,
  { id: bigint; mood: Mood; pay: string | null; wakes: string; born: Date | null; words: string[] }
> = true
export const book: Same<InsertOf<'BookItem'>, { isbn: string; ownerId: bigint }> = true
export const generated: InsertOf<'Person'> = { email: 'ada@example.com', wakes: '06:30:00' }
/** The join table of `tags` has no model. */
export const relations: Same<
  keyof PrismaTypes<typeof prisma, typeof metadata>['models']['Person']['relations'],
  'books' | 'boss' | 'team'
> = true
export const intoView: Same<InsertOf<'Rich'>, never> = true

export const PersonController = controllerFor('Person', {
  beforeCreate(request, payload) {
    if (payload.mood === 'sad') return { ...payload, mood: 'happy', notes: { from: request.url } }
    return undefined
  },
  async afterDelete(_request, { id }, { db }) {
    const own: HookContext['db'] = db
    await own.book_items.deleteMany({ where: { ownerId: id } })
    await db.person.rich()
    await db.$transaction((inner) => inner.tag.findMany())
  },
  scope: () => ({ mood: ['sad', 'happy'], boss: { mood: 'happy' } }),
})
controllerFor('BookItem', { scope: () => ({ owner: { email: 'ada@example.com' } }) })

const app = nodeApp()
export const rest = new ModelRest(app, {
  models,
  exclude: { app: ['Rich'] },
  modelConfig: {
    Person: { readOnly: ['bossId'], relations: { team: 'reports' } },
    BookItem: { include: ['owner'] },
  },
})
const context = await rest.context(new IncomingMessage(new Socket()))
export const reached = prisma.person.findMany({ where: await context.scope('Person') })
export const combined = prisma.book_items.count({
  where: { AND: [await context.scope('BookItem'), { isbn: { startsWith: '978' } }] },
})

const plain = new PrismaClient({ adapter })
export const transaction = (inner: Prisma.TransactionClient) => inner.person.count()
// Metadata whose literals are not known make models of any name.
export const loose = (given: PrismaMetadata) => new ModelRest(app, { models: prismaModels(plain, given) })

controllerFor('Person', {
  // @ts-expect-error It is no mood.
  beforeCreate: (_request, payload) => ({ ...payload, mood: 'angry' }),
})
controllerFor('Person', {
  // @ts-expect-error Decimals are strings.
  beforeCreate: (_request, payload) => ({ ...payload, pay: 1 }),
})
// @ts-expect-error Models have the names of the schema, in PascalCase.
controllerFor('book_items', {})
