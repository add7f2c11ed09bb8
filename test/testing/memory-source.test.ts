import { describe, expect, it } from 'vitest'
import type { Capabilities, Row, TableFacts } from '../../src/entry/source.ts'
import { libraryTables, memorySource, sourceContract } from '../../src/entry/testing.ts'
import { runner } from '../runner.ts'

const titleLength = ({ title }: Row) => (typeof title === 'string' ? [...title].length : null)
const tables = libraryTables.filter(({ readOnly }) => readOnly !== true)

/** What no memory source has. */
const never = [
  ...[
    'CheapBook',
    'breakValue',
    'drop',
    'kill',
    'loggable',
    'missing',
    'observed',
    'refusalOf',
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
    open: () => ({
      source: memorySource(facts, { defaults: { Book: { titleLength } }, without }),
      close: () => undefined,
    }),
    notTested: (needs) => expect(needs).toEqual(expected),
  })
}

contractOf([])
contractOf(['unicodeCaseFolding'])
contractOf(['transactions'], { untested: ['transactions'] })
contractOf(['rowLocks'], { untested: ['rowLocks'] })
contractOf(['literalContains'], { untested: ['literalContains'] })
contractOf(['databaseDefaults'], { untested: ['databaseDefaults'] })
contractOf(['exactText'], {
  facts: tables.filter(({ name }) => name !== 'Review' && name !== 'Shelf'),
  untested: ['Review', 'Review.book', 'Shelf.floor', 'exactText'],
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
