import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { prismaModels } from '../../../src/entry/prisma.ts'
import { everything, type ModelSource, type RecordStore } from '../../../src/entry/source.ts'
import { type AnyClient, generate } from './generated.ts'
import { createTables } from './sqlite-tables.ts'

let client: AnyClient
let close: () => Promise<unknown>

beforeEach(async () => {
  const { connect } = await generate('sqlite')
  const folder = mkdtempSync(join(tmpdir(), 'modelrest-'))
  client = connect(new PrismaBetterSqlite3({ url: `file:${join(folder, 'library.db')}` }))
  for (const statement of createTables) await client.$executeRawUnsafe(statement)
  close = async () => {
    await client.$disconnect()
    rmSync(folder, { recursive: true })
  }
})
afterEach(() => close())

const sourceOf = async (of: AnyClient): Promise<ModelSource> =>
  prismaModels(of, (await generate('sqlite')).metadata)

const storeIn = (
  source: Pick<ModelSource, 'store'>,
  models: ModelSource['models'],
  name: string,
): RecordStore => {
  const model = models.find((known) => known.name === name)
  if (model === undefined) throw new Error(`No model ${name}.`)
  return source.store(model)
}

interface Operation {
  readonly operation: string
  readonly args: Record<string, object>
  query(args: object): Promise<unknown>
}

const byId = [{ field: 'id', direction: 'asc' }] as const
const page = { filter: everything, order: byId, limit: 9, offset: 0 }

describe('the extensions of a client', () => {
  it('run for every act, also in a transaction', async () => {
    const seen: string[] = []
    const extended = client.$extends({
      query: {
        author: {
          $allOperations: ({ operation, args, query }: Operation) => {
            seen.push(operation)
            return query(args)
          },
        },
      },
    })
    const source = await sourceOf(extended)
    const run = async (store: RecordStore) => {
      const { id } = await store.create({ name: 'a' })
      await store.list(page, everything)
      await store.count(everything, everything)
      await store.read([id], everything)
      await store.update([id], { name: 'b' }, everything)
      await store.remove([id], everything)
    }
    const all = ['create', 'findMany', 'count', 'findFirst', 'updateManyAndReturn', 'deleteMany']
    await run(storeIn(source, source.models, 'Author'))
    expect(seen.splice(0)).toEqual(all)
    await source.transaction((inside) => run(storeIn(inside, source.models, 'Author')))
    expect(seen).toEqual(all)
  })

  it('limit what is found and changed', async () => {
    const hidden = { name: { not: 'hidden' } }
    const limited = ({ args, query }: Operation) => {
      const { AND = [], ...where } = { ...args['where'] } as { AND?: object }
      return query({ ...args, where: { ...where, AND: [AND, hidden].flat() } })
    }
    const extended = client.$extends({
      query: {
        author: {
          ...{ findMany: limited, findFirst: limited, count: limited },
          ...{ updateManyAndReturn: limited, deleteMany: limited },
        },
      },
    })
    const source = await sourceOf(extended)
    const store = storeIn(source, source.models, 'Author')
    const { id } = await store.create({ name: 'hidden' })
    expect(await store.list(page, everything)).toEqual([])
    expect(await store.count(everything, everything)).toBe(0)
    expect(await store.read([id], everything)).toBeUndefined()
    expect(await store.update([id], { bio: 'x' }, everything)).toBeUndefined()
    expect(await store.remove([id], everything)).toBe(false)
    expect(await client['author']?.['count']?.()).toBe(1)
  })

  it('make no record shown that leaves the guard while it is read', async () => {
    let finds = 0
    const extended = client.$extends({
      query: {
        author: {
          async findMany({ args, query }: Operation) {
            finds += 1
            if (finds === 2) await client.$executeRawUnsafe("update authors set name = 'b'")
            return query(args)
          },
        },
      },
    })
    const source = await sourceOf(extended)
    const store = storeIn(source, source.models, 'Author')
    await store.create({ name: 'a' })
    const isA = { op: 'eq', field: 'name', value: 'a' } as const
    expect(await store.list({ ...page, limit: 1000 }, isA, () => true)).toEqual([])
    expect(finds).toBe(2)
  })

  it('add no computed fields to records', async () => {
    const extended = client.$extends({
      result: {
        author: { shout: { needs: { name: true }, compute: ({ name }: { name: string }) => `${name}!` } },
      },
    })
    const source = await sourceOf(extended)
    const store = storeIn(source, source.models, 'Author')
    const fields = ['id', 'name', 'email', 'bio']
    expect(Object.keys(await store.create({ name: 'a' }))).toEqual(fields)
    expect(Object.keys((await store.list(page, everything))[0] ?? {})).toEqual(fields)
  })
})

describe('transactions on a single connection', () => {
  it('do not take in statements of other requests', async () => {
    const source = await sourceOf(client)
    const outside = storeIn(source, source.models, 'Author')
    const begun = Promise.withResolvers<void>()
    const called = Promise.withResolvers<void>()
    const undone = source.transaction(async (inside) => {
      await storeIn(inside, source.models, 'Author').create({ name: 'undone' })
      begun.resolve()
      await called.promise
      await storeIn(inside, source.models, 'Author').create({ name: 'undone too' })
      throw new Error('Undo.')
    })
    const refused = expect(undone).rejects.toThrow('Undo.')
    await begun.promise
    const stranger = outside.create({ name: 'stranger' })
    called.resolve()
    await refused
    await stranger
    const names = (await outside.list(page, everything)).map(({ name }) => name)
    expect(names).toEqual(['stranger'])
  })
})

describe('JSON values', () => {
  it('are stored as they are, whatever their members mean to Prisma', async () => {
    const source = await sourceOf(client)
    const authors = storeIn(source, source.models, 'Author')
    const books = storeIn(source, source.models, 'Book')
    const { id: authorId } = await authors.create({ name: 'a' })
    const values = [
      ...[{ set: 1 }, { $type: 'DateTime', value: 'x' }, { $type: 'Raw', value: { increment: 1 } }],
      ...[
        { equals: null },
        { push: [1] },
        { $type: 'FieldRef', value: { _ref: 'title', _container: 'Book' } },
      ],
      ...[{ $type: 'Param', value: 'x' }, [{ $type: 'Json', value: '1' }], { create: {} }, 'null', 0, false],
    ]
    for (const [at, meta] of values.entries()) {
      const book = { title: 't', isbn: String(at), price: 1, pages: 1, printedAt: new Date(0), authorId }
      const { id, ...created } = await books.create({ ...book, meta })
      expect(created['meta']).toEqual(meta)
      const updated = await books.update([id], { meta: [meta] }, everything)
      expect(updated?.['meta']).toEqual([meta])
    }
  })
})
