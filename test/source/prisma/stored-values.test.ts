import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prismaModels } from '../../../src/entry/prisma.ts'
import { everything, type ModelSource, type RecordStore } from '../../../src/entry/source.ts'
import { type AnyClient, generate } from './generated.ts'

const schema = `
model Thing {
  id   Int     @id
  json Json?
  big  BigInt?
}
model Flag {
  on    Boolean
  at    Int
  value String
  @@id([on, at])
}`

const tables = [
  'create table "Thing" (id integer primary key, json jsonb, big bigint)',
  'create table "Flag" ("on" boolean, at integer, value text not null, primary key ("on", at))',
]

describe('a database of SQLite that Prisma reads', () => {
  const folder = mkdtempSync(join(tmpdir(), 'modelrest-'))
  let client: AnyClient
  let source: ModelSource
  beforeAll(async () => {
    const { connect, metadata } = await generate('sqlite', schema)
    client = connect(new PrismaBetterSqlite3({ url: `file:${join(folder, 'values.db')}` }))
    for (const statement of tables) await client.$executeRawUnsafe(statement)
    source = prismaModels(client, metadata)
  })
  afterAll(async () => {
    await client.$disconnect()
    rmSync(folder, { recursive: true })
  })

  const storeOf = (name: string): RecordStore => {
    const model = source.models.find((known) => known.name === name)
    if (model === undefined) throw new Error(`No model ${name}.`)
    return source.store(model)
  }
  const errorOf = (act: () => unknown): Promise<unknown> =>
    Promise.resolve()
      .then(act)
      .then(
        () => undefined,
        (error: unknown) => error,
      )

  it.each([
    ['json', 'not json S3cret-Value'],
    ['big', 'S3cret-Value'],
  ])('does not log a %s that the client cannot read', async (column, value) => {
    await client.$executeRawUnsafe('delete from "Thing"')
    await client.$executeRawUnsafe(`insert into "Thing" (id, ${column}) values (1, ?)`, value)
    const error = await errorOf(() => storeOf('Thing').read([1], everything))
    expect(error).toMatchObject({ kind: 'unrepresentable' })
    expect(inspect(source.loggable?.(error), { depth: 10 })).not.toContain('S3cret')
  })

  it('refuses a sum of integers that SQLite cannot hold', async () => {
    await client.$executeRawUnsafe('delete from "Thing"')
    for (const id of [1, 2])
      await client.$executeRawUnsafe('insert into "Thing" (id, big) values (?, 9223372036854775807)', id)
    const sum = { groups: [], aggregates: [{ fn: 'sum', field: 'big' }], order: [] } as const
    const error = await errorOf(() =>
      storeOf('Thing').aggregate?.({ ...sum, filter: everything, limit: 1, timezone: 'UTC' }, everything),
    )
    expect(error).toMatchObject({ kind: 'type', fields: ['big'] })
  })

  it('has lists of records whose key begins with a boolean', async () => {
    const flags = storeOf('Flag')
    const page = {
      filter: everything,
      order: [{ field: 'at', direction: 'asc' }] as const,
      limit: 9,
      offset: 0,
    }
    await flags.create({ on: true, at: 1, value: 'a' })
    await flags.create({ on: false, at: 2, value: 'b' })
    expect(await flags.list(page, everything)).toHaveLength(2)
    expect(await flags.list(page, { op: 'is-null', field: 'value' })).toEqual([])
  })
})
