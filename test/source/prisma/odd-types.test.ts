import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { expect, it } from 'vitest'
import { prismaModels } from '../../../src/entry/prisma.ts'
import { everything, type ModelSource } from '../../../src/entry/source.ts'
import type { ModelRestOptions } from '../../../src/index.ts'
import { startError } from '../../http/start-error.ts'
import { createDatabase, onPostgres } from '../../servers/test-database.ts'
import { type Served, serveModels } from '../../stage/serve-models.ts'
import { generate } from './generated.ts'

const schema = `
enum Level {
  low  @map("l")
  high @map("h")
}
model Thing {
  id      Int       @id
  code    String?   @db.Char(4)
  name    String?   @db.Citext
  note    String?   @db.Xml
  at      DateTime? @db.Timetz(3)
  prices  Decimal[] @db.Decimal(10, 2)
  sums    BigInt[]
  moments DateTime[] @db.Timestamptz(3)
  parts   Bytes[]
  price   Decimal?  @db.Decimal
  data    Json?
  always  Json      @default("null")
}
model Place {
  id   Int    @id
  spot Unsupported("point")
}
model Step {
  level Level @id
  size  Int
}
model Email {
  address String @unique @db.Char(3)
  size    Int
}
model Moment {
  id Int      @id
  at DateTime @db.Timestamptz(3)
}
`

const tables = [
  'create extension citext',
  `create type "Level" as enum ('l', 'h')`,
  `create table "Thing" (id int primary key, code char(4), name citext, note xml, at timetz(3),
    prices numeric(10, 2)[], sums bigint[], moments timestamptz(3)[], parts bytea[], price numeric, data jsonb, always jsonb not null default 'null')`,
  'create table "Place" (id int primary key, spot point not null)',
  'create table "Step" (level "Level" primary key, size int not null)',
  'create table "Email" (address char(3) primary key, size int not null)',
  'create table "Moment" (id int primary key, at timestamptz(3) not null)',
]

interface Open {
  readonly pool: pg.Pool
  readonly source: ModelSource
  serve(options?: Partial<ModelRestOptions>): Promise<Served>
  close(): Promise<void>
}

const open = async (zone: string, exclude: readonly string[] = []): Promise<Open> => {
  const { connect, metadata } = await generate('postgresql', schema)
  const database = await createDatabase('odd_types')
  const pool = new pg.Pool({ connectionString: database.url, max: 2, options: `-c timezone=${zone}` })
  // The server ends connections that are still closing when the database is dropped.
  pool.on('connect', (connection) => connection.on('error', () => undefined))
  for (const statement of tables) await pool.query(statement)
  const client = connect(new PrismaPg(pool))
  const source = prismaModels(client, metadata, { exclude })
  const close = async (): Promise<void> => {
    await client.$disconnect()
    if (!pool.ended) await pool.end()
    await database.drop()
  }
  const serve = (options: Partial<ModelRestOptions> = {}): Promise<Served> =>
    serveModels({ models: source, close } as never, options)
  return { pool, source, serve, close }
}

const filtered = (model: string, filter: string): string => `/${model}/?q=${encodeURIComponent(filter)}`

onPostgres('odd types of PostgreSQL through Prisma', () => {
  it('are served as far as Prisma reads them exactly', async () => {
    const { pool, serve, source } = await open('UTC')
    const { send } = await serve()
    expect(source.notes?.map((note) => note.split(' ')[0])).toEqual(['Thing.at'])

    const thing = { id: 1, code: 'ab  ', name: 'Ann', note: '<a/>', data: null, always: [1] }
    expect(await send('POST', '/things/', thing)).toMatchObject([
      201,
      { name: 'Ann', prices: [], data: null },
    ])
    const [, found] = await send('GET', '/things/1')
    expect(Object.keys(Object(found))).not.toContain('at')

    // PostgreSQL ignores the spaces at the end of a char, and the case of a citext.
    for (const [filter, count] of [
      ['code==ab', 0],
      ['code=="ab  "', 1],
      ['code!=ab', 1],
      ['data==null', 1],
      ['always==null', 0],
      ['note==null', 0],
    ] as const)
      expect([filter, await send('GET', filtered('things', filter))]).toMatchObject([
        filter,
        [200, { count }],
      ])
    for (const filter of ['name==ANN', 'note==<a/>'])
      expect(await send('GET', filtered('things', filter))).toMatchObject([400, { code: 'invalid_operator' }])

    for (const [column, value] of [
      ['price', 'NaN'],
      ['prices', '{NaN}'],
    ]) {
      await pool.query(`update "Thing" set price = null, prices = '{}'`)
      await pool.query(`update "Thing" set ${column} = $1`, [value])
      expect(await send('GET', '/things/1')).toMatchObject([500, { code: 'unrepresentable_value' }])
    }
  })

  it('lists of any type are shown as they were sent', async () => {
    const { serve } = await open('UTC')
    const { send } = await serve()
    const lists = {
      ...{ sums: ['5', '-9223372036854775808'], prices: ['1.50'], parts: ['AAE='] },
      moments: ['2026-01-31T10:00:00.123Z'],
    }
    expect(await send('POST', '/things/', { id: 1, ...lists, always: 1 })).toMatchObject([201, lists])
    expect(await send('GET', '/things/')).toMatchObject([200, { items: [lists] }])
    expect(await send('PUT', '/things/1', { ...lists, always: 1 })).toMatchObject([200, lists])
  })

  it('a model with a required column that Prisma does not know can be read only', async () => {
    const { pool, serve } = await open('UTC')
    const { send } = await serve()
    await pool.query(`insert into "Place" values (1, '(1, 2)')`)
    expect(await send('GET', '/places/1')).toEqual([200, { id: 1 }])
    expect(await send('POST', '/places/', { id: 2 })).toMatchObject([405, { code: 'method_not_allowed' }])
  })

  it('records are locked by keys that are stored under other names, or padded', async () => {
    const { source, close } = await open('UTC')
    const model = (name: string) => source.models.find((known) => known.name === name) as never
    await source.store(model('Step')).create({ level: 'high', size: 1 })
    await source.store(model('Email')).create({ address: 'a  ', size: 1 })
    await source.transaction(async ({ store }) => {
      const steps = store(model('Step'))
      expect(await steps.read(['high'], everything, 'lock')).toEqual({ level: 'high', size: 1 })
      expect(await steps.read(['low'], everything, 'lock')).toBeUndefined()
    })
    const emails = source.store(model('Email'))
    expect(await emails.update(['a'], { size: 2 }, everything)).toBeUndefined()
    expect(await emails.remove(['a'], everything)).toBe(false)
    expect(await emails.update(['a  '], { size: 2 }, { op: 'eq', field: 'size', value: 9 })).toBeUndefined()
    expect(await emails.update(['a  '], { size: 2 }, everything)).toMatchObject({ size: 2 })
    await close()
  })

  it('times with a zone are refused at start if the server would shift them', async () => {
    const { close, source } = await open('America/New_York')
    const named = source.models.filter(({ name }) => name === 'Moment')
    expect(named).toHaveLength(1)
    await expect(source.missing?.(source.models)).rejects.toThrow(startError('Moment', 'timestamptz'))
    await close()
  })
})
