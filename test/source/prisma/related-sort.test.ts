import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import { describe, expect, it } from 'vitest'
import { prismaModels } from '../../../src/entry/prisma.ts'
import { type ControllerClass, controllerFor, type ModelRestOptions } from '../../../src/index.ts'
import { type Served, serveModels } from '../../stage/serve-models.ts'
import { type AnyClient, generate } from './generated.ts'

const schema = `
model Customer {
  id     Int     @id @default(autoincrement())
  name   String
  tenant Int
  orders Order[]
}
model Order {
  id         Int       @id @default(autoincrement())
  status     Int
  placedAt   DateTime
  notes      Json?
  customerId Int?
  customer   Customer? @relation(fields: [customerId], references: [id])
}
`

const tables = [
  'create table Customer (id integer primary key, name text not null, tenant integer not null)',
  `create table "Order" (id integer primary key, status integer not null, placedAt datetime not null, notes jsonb, customerId integer,
    foreign key (customerId) references Customer (id))`,
]

interface Order {
  readonly id: number
  readonly status: number
  readonly customerId: number | null
}

/** Those of tenant 2 are out of reach. */
const customers = [
  { id: 1, name: 'b', tenant: 1 },
  { id: 2, name: 'a', tenant: 2 },
  { id: 3, name: 'c', tenant: 1 },
]

const orders = (count: number): readonly Order[] =>
  Array.from({ length: count }, (_none, at) => ({
    ...{ id: at + 1, status: Math.floor((at * 7) / 5) % 4 },
    customerId: [1, 2, null, 3, 2][at % 5] ?? null,
  }))

const ofCustomer = (controllerFor as (model: string, parts: object) => ControllerClass)('Customer', {
  scope: () => ({ tenant: 1 }),
})

const serve = async (
  count: number,
  options: Partial<ModelRestOptions> = {},
): Promise<Served & { readonly client: AnyClient; readonly statements: readonly string[] }> => {
  const { connect, metadata } = await generate('sqlite', schema)
  const folder = mkdtempSync(join(tmpdir(), 'modelrest-'))
  const adapter = new PrismaBetterSqlite3({ url: `file:${join(folder, 'shop.db')}` })
  const client = connect(adapter, { log: [{ emit: 'event', level: 'query' }] })
  const statements: string[] = []
  client.$on('query', ({ query }) => statements.push(query))
  for (const statement of tables) await client.$executeRawUnsafe(statement)
  await client['customer']?.['createMany']?.({ data: customers })
  const data = orders(count).map((order) => ({
    ...order,
    placedAt: new Date(0),
    notes: { text: `of ${order.id}` },
  }))
  await client['order']?.['createMany']?.({ data })
  const close = async (): Promise<void> => {
    await client.$disconnect()
    rmSync(folder, { recursive: true })
  }
  const given = { models: prismaModels(client, metadata), close } as never
  return { ...(await serveModels(given, { controllers: [ofCustomer], ...options })), client, statements }
}

/** Null is the largest value. */
const nameOf = ({ customerId }: Order): string =>
  customers.find(({ id, tenant }) => id === customerId && tenant === 1)?.name ?? '~'

const ordered = (a: string, b: string): number => Number(a > b) - Number(a < b)
const namesOf = (a: Order, b: Order): number => ordered(nameOf(a), nameOf(b))

const sorts: readonly (readonly [string, (a: Order, b: Order) => number])[] = [
  ['sort=customer.name', (a, b) => namesOf(a, b) || a.id - b.id],
  ['sort=customer.name&order=desc', (a, b) => namesOf(b, a) || a.id - b.id],
  ['sort=status&sort=customer.name', (a, b) => a.status - b.status || namesOf(a, b) || a.id - b.id],
  [
    'sort=status&sort=customer.name&order=desc&order=desc',
    (a, b) => b.status - a.status || namesOf(b, a) || a.id - b.id,
  ],
]

const idsOf = (body: unknown): readonly number[] => Object(body).items.map(({ id }: Order) => id)

describe('lists sorted by a related record, through Prisma', () => {
  it.each(sorts)('with %s, treat those out of reach as absent, on every page', async (sort, compare) => {
    const expected = orders(23)
      .toSorted(compare)
      .map(({ id }) => id)
    const { send } = await serve(23)
    const [status, all] = await send('GET', `/orders/?${sort}&limit=50`)
    expect([status, idsOf(all)]).toEqual([200, expected])
    const paged: number[] = []
    for (let offset = 0; offset < 25; offset += 5) {
      const [, page] = await send('GET', `/orders/?${sort}&limit=5&offset=${offset}`)
      paged.push(...idsOf(page))
    }
    expect(paged).toEqual(expected)
  })

  it.each(sorts)('with %s, are all on pages by cursor', async (sort, compare) => {
    const { send } = await serve(23, { paginationType: 'cursor' })
    // Their size is unknown, so they are read in parts.
    const first = `/orders/?${sort}&limit=4&fields=id,notes`
    const found: number[] = []
    let next: string | undefined = first
    for (let pages = 0; next !== undefined && pages < 9; pages += 1) {
      const [, page] = await send('GET', next)
      found.push(...idsOf(page))
      const cursor: string | null = Object(page).next
      next = cursor === null ? undefined : `${first}&cursor=${cursor}`
    }
    expect(found).toEqual(
      orders(23)
        .toSorted(compare)
        .map(({ id }) => id),
    )
  })

  it('need few statements, however many there are', async () => {
    const { send, statements } = await serve(900)
    for (const [sort, compare] of sorts) {
      const before = statements.length
      const [, page] = await send('GET', `/orders/?${sort}&limit=1000&fields=id&count=none`)
      expect(idsOf(page)).toEqual(
        orders(900)
          .toSorted(compare)
          .map(({ id }) => id),
      )
      expect(statements.length - before).toBeLessThan(40)
    }
  })

  it('are complete if the database stores finer times than Prisma reads', async () => {
    const { send, client } = await serve(12)
    const text = `'2026-01-01T00:00:00.123' || printf('%03d', id) || '+00:00'`
    await client.$executeRawUnsafe(`update "Order" set placedAt = ${text}`)
    const sort = 'sort=placedAt&sort=customer.name'
    const [, all] = await send('GET', `/orders/?${sort}&limit=12`)
    expect(idsOf(all).toSorted((a, b) => a - b)).toEqual(orders(12).map(({ id }) => id))
  })
})
