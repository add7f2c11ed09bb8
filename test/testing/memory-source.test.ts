import { describe, expect, it } from 'vitest'
import {
  type Capabilities,
  everything,
  type Model,
  type ModelSource,
  type RecordStore,
  type Row,
  type TableFacts,
} from '../../src/entry/source.ts'
import { libraryTables, memorySource, sourceContract } from '../../src/testing/index.ts'
import { naming } from '../naming.ts'
import { runner } from '../runner.ts'

type Handle = (model: string) => RecordStore
type Handled = ModelSource & { readonly db: Handle }

const titleLength = ({ title }: Row) => (typeof title === 'string' ? [...title].length : null)
const tables = libraryTables.filter(({ readOnly }) => readOnly !== true)

/** What no memory source has. */
const never = [
  ...[
    'Author.estimate',
    'CheapBook',
    'breakValue',
    'drop',
    'kill',
    'loggable',
    'missing',
    'observed',
    'refusalOf',
    'reopen',
    'synchronous',
  ],
  'useHandle',
]

const contractOf = (
  without: readonly (keyof Capabilities)[],
  { untested = [], facts = tables }: { untested?: readonly string[]; facts?: readonly TableFacts[] } = {},
): void => {
  const absent = (['databaseDefaults', 'transactions'] as const).filter((name) => !without.includes(name))
  const expected = [...never, ...absent.map((name) => `no ${name}`), ...untested].sort()
  sourceContract(runner, {
    name: without.length === 0 ? 'memorySource' : `memorySource without ${without.join()}`,
    extent: without.length === 0 ? 'complete' : 'short',
    open: () => {
      const source = memorySource(facts, { defaults: { Book: { titleLength } }, without })
      const page = { filter: everything, order: [], limit: 1000, offset: 0 }
      return {
        source,
        close: () => undefined,
        find: async (name, condition) => {
          const rows = await (source.db as (model: string) => RecordStore)(name).list(page, everything)
          return rows.filter(condition as (record: Row) => boolean)
        },
      }
    },
    notTested: (needs) => expect(needs).toEqual(expected),
  })
}

contractOf([])
contractOf(['unicodeCaseFolding'])
contractOf(['transactions'], { untested: ['transactions'] })
contractOf(['rowLocks'], { untested: ['rowLocks'] })
contractOf(['literalContains'], { untested: ['literalContains'] })
contractOf(['databaseDefaults'], { untested: ['databaseDefaults'] })
contractOf(['exactText'], { untested: ['exactText'] })
contractOf(['exactText', 'exactKeys'], {
  // Their keys contain text, or refer to such a key.
  facts: tables.filter(({ name }) => !['Placement', 'Reply', 'Review', 'Shelf'].includes(name)),
  untested: [
    ...['Placement', 'Reply', 'Reply.review', 'Review', 'Review.book', 'Shelf'],
    ...[
      'Review.createMany',
      'Shelf.createMany',
      'Shelf.builtAt',
      'Shelf.capacity',
      'Shelf.floor',
      'exactKeys',
      'exactText',
    ],
  ],
})
contractOf(['relations'], { untested: ['relations'] })
contractOf(['relatedSort'], { untested: ['relatedSort'] })
contractOf(['aggregates'], { untested: ['aggregates'] })
contractOf(['dateParts'], { untested: ['dateParts'] })
const optional = [
  'startsWith',
  'equalsIgnoringCase',
  'jsonPaths',
  'arrayElements',
  'countDistinct',
  'having',
] as const
contractOf(optional, { untested: optional.toSorted() })

describe('transactions of memorySource', () => {
  const everything = { op: 'and', conditions: [] } as const
  const open = () => {
    const fields: TableFacts['fields'] = [{ name: 'id', kind: 'integer', hasDefault: true }]
    const source = memorySource([{ name: 'Task', fields, primaryKey: ['id'] }])
    const [model] = source.models
    if (model === undefined) throw new Error('The source has no model.')
    return { source, model, count: () => source.store(model).count(everything, everything) }
  }

  it.each<readonly [string, (source: ModelSource, model: Model) => unknown]>([
    ['a write', (source, model) => source.store(model).create({})],
    ['a transaction', (source, model) => source.transaction((inside) => inside.store(model).create({}))],
    ['a write through the handle of the source', (source) => (source as Handled).db('Task').create({})],
  ])('refuse %s that would wait for their end', async (_, act) => {
    const { source, model, count } = open()
    const nested = source.transaction(async (inside) => {
      await inside.store(model).create({})
      await act(source, model)
    })
    await expect(nested).rejects.toThrow(naming('transaction', 'context.db'))
    expect(await count()).toBe(0)
    await source.store(model).create({})
    expect(await count()).toBe(1)
  })

  it('have a handle, which writes other models, and ends with them', async () => {
    const { source, count } = open()
    let kept: Handle | undefined
    await source.transaction(async ({ db }) => {
      kept = db as Handle
      await kept('Task').create({})
      expect(await count()).toBe(0)
    })
    expect(await count()).toBe(1)
    await expect(kept?.('Task').create({})).rejects.toThrow(naming('ended'))
    await (source as Handled).db('Task').create({})
    expect(await count()).toBe(2)
    expect(() => (source as Handled).db('Tasks')).toThrow(naming('Tasks'))
  })

  it('let writes that they started run after their end', async () => {
    const { source, model, count } = open()
    let later: () => Promise<unknown> = async () => undefined
    await source.transaction(async () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const writing = promise.then(() => source.store(model).create({}))
      later = async () => {
        resolve()
        await writing
      }
    })
    await later()
    expect(await count()).toBe(1)
  })
})

describe('defaults of memorySource', () => {
  const fields: TableFacts['fields'] = [
    { name: 'id', kind: 'bigint', hasDefault: true },
    { name: 'at', kind: 'datetime', hasDefault: true, default: '2026-01-01T00:00:00Z' },
    { name: 'size', kind: 'bigint', hasDefault: true, default: '5' },
  ]
  const open = (records: readonly Row[]) => {
    const source = memorySource([{ name: 'Task', fields, primaryKey: ['id'] }], {
      records: { Task: records },
    })
    const [model] = source.models
    if (model === undefined) throw new Error('The source has no model.')
    return source.store(model)
  }

  it('have the form of their fields', async () => {
    const at = new Date('2026-01-01T00:00:00Z')
    expect(await open([]).create({})).toEqual({ id: 1n, at, size: 5n })
  })

  it('count keys up from those that exist, and do not reuse that of a deleted record', async () => {
    const store = open([{ id: 7n }])
    const everything = { op: 'and', conditions: [] } as const
    expect(await store.create({})).toMatchObject({ id: 8n })
    expect(await store.remove([8n], everything)).toBe(true)
    expect(await store.create({})).toMatchObject({ id: 9n })
  })
})

const field = (name: string) => ({ name, kind: 'integer' as const })
const reference = (model: string, name: string) => ({ model, fields: [name], references: ['id'] })

describe('the constraints of a memory source', () => {
  const product: TableFacts = { name: 'Product', fields: [field('id')], primaryKey: ['id'] }
  const tag: TableFacts = { ...product, name: 'Tag' }
  const join: TableFacts = {
    name: 'ProductTag',
    fields: [field('productId'), field('tagId')],
    primaryKey: ['productId', 'tagId'],
    foreignKeys: [reference('Product', 'productId'), reference('Tag', 'tagId')],
  }

  it('are those of a join table, not of the relations through it', async () => {
    const source = memorySource([product, tag, join])
    const { db } = source as Handled
    expect(source.models[0]?.relations.map(({ name }) => name)).toEqual(['productTags', 'tags'])
    await db('Tag').create({ id: 1 })
    await db('Product').create({ id: 1 })
    await db('ProductTag').create({ productId: 1, tagId: 1 })
    const everyone = { op: 'and', conditions: [] } as const
    await expect(db('Tag').remove([1], everyone)).rejects.toMatchObject({
      ...{ kind: 'still-referenced', models: ['ProductTag'], fields: ['tagId'] },
    })
    await db('ProductTag').remove([1, 1], everyone)
    expect(await db('Tag').remove([1], everyone)).toBe(true)
  })

  it('are not those that the database does not check', async () => {
    const foreignKeys = join.foreignKeys?.map((key) => ({ ...key, unchecked: true as const })) ?? []
    const { db } = memorySource([product, tag, { ...join, foreignKeys }]) as Handled
    await db('Tag').create({ id: 1 })
    await db('ProductTag').create({ productId: 9, tagId: 1 })
    expect(await db('Tag').remove([1], { op: 'and', conditions: [] })).toBe(true)
  })
})
