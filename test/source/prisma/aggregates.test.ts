import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import { expect, it } from 'vitest'
import { prismaModels } from '../../../src/entry/prisma.ts'
import { everything } from '../../../src/entry/source.ts'
import { generate } from './generated.ts'
import { createTables } from './sqlite-tables.ts'

it('groups without a value are the largest, within the limit', async () => {
  const { connect, metadata } = await generate('sqlite')
  const folder = mkdtempSync(join(tmpdir(), 'modelrest-'))
  const client = connect(new PrismaBetterSqlite3({ url: `file:${join(folder, 'library.db')}` }))
  for (const statement of createTables) await client.$executeRawUnsafe(statement)
  const source = prismaModels(client, metadata)
  const storeOf = (name: string) => {
    const model = source.models.find((known) => known.name === name)
    if (model === undefined) throw new Error(`No model ${name}.`)
    return source.store(model)
  }
  const { id: authorId } = await storeOf('Author').create({ name: 'a' })
  const books = storeOf('Book')
  const plain = { title: 't', price: 1, printedAt: new Date(0), authorId }
  for (const [at, rating] of [2, null, 1].entries())
    await books.create({ ...plain, isbn: String(at), pages: at, rating })
  const pages = async (direction: 'asc' | 'desc', limit: number) => {
    const rows = await books.aggregate?.(
      {
        ...{ filter: everything, groups: [{ field: 'pages' }], aggregates: [{ fn: 'sum', field: 'rating' }] },
        order: [
          { column: 'sum_rating', direction },
          { column: 'pages', direction: 'asc' },
        ],
        ...{ limit, timezone: 'UTC' },
      },
      everything,
    )
    return rows?.map((row) => row['pages'])
  }
  expect(await pages('asc', 9)).toEqual([2, 0, 1])
  expect(await pages('desc', 9)).toEqual([1, 0, 2])
  expect(await pages('asc', 2)).toEqual([2, 0])
  expect(await pages('desc', 1)).toEqual([1])
  await client.$disconnect()
  rmSync(folder, { recursive: true })
})
