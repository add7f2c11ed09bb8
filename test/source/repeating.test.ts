import { describe, expect, it } from 'vitest'
import { everything } from '../../src/query/ast.ts'
import { repeatingSource } from '../../src/source/repeating.ts'
import {
  type ModelSource,
  type RecordStore,
  SourceError,
  type SourceErrorKind,
} from '../../src/source/source.ts'

const model = {} as never

/** A source whose acts all fail, each as the next of these says, and then succeed. */
const failing = (kinds: readonly SourceErrorKind[], synchronous = false) => {
  let attempts = 0
  const act = () => {
    const kind = kinds[attempts]
    attempts += 1
    if (kind === undefined) return Promise.resolve(0)
    return Promise.reject(new SourceError(kind))
  }
  const names = ['list', 'count', 'estimate', 'read', 'create', 'update', 'remove', 'take']
  const store = Object.fromEntries(names.map((name) => [name, act])) as unknown as RecordStore
  const source = {
    ...{ models: [], notes: [], db: {}, capabilities: { synchronous } },
    ...{ store: () => store, transaction: act, missing: act, ping: act, refusalOf: () => undefined },
  } as unknown as ModelSource
  return { source, attempts: () => attempts }
}

const reads = [
  [
    'list',
    (store: RecordStore) => store.list({ filter: everything, order: [], limit: 1, offset: 0 }, everything),
  ],
  ['count', (store: RecordStore) => store.count(everything, everything)],
  ['read', (store: RecordStore) => store.read([1], everything)],
] as const
const writes = [
  ['create', (store: RecordStore) => store.create({})],
  ['update', (store: RecordStore) => store.update([1], {}, everything)],
  ['remove', (store: RecordStore) => store.remove([1], everything)],
  ['take', (store: RecordStore) => store.take([1], everything)],
] as const

const times = (kind: SourceErrorKind, count: number): readonly SourceErrorKind[] =>
  Array.from({ length: count }, () => kind)

describe.each([...reads, ...writes])('%s', (name, act) => {
  const isRead = reads.some(([read]) => read === name)

  it('is done again where others undid it, as often as it may be', async () => {
    const often = failing(times('contended', 3))
    expect(await act(repeatingSource(often.source, 3).store(model))).toBe(0)
    expect(often.attempts()).toBe(4)
    const oftener = failing(times('contended', 9))
    await expect(act(repeatingSource(oftener.source, 3).store(model))).rejects.toMatchObject({
      kind: 'contended',
    })
    expect(oftener.attempts()).toBe(4)
  })

  it(`is ${isRead ? 'asked again' : 'never repeated'} where the connection broke`, async () => {
    const twice = failing(['lost', 'lost'])
    const outcome = act(repeatingSource(twice.source, 3).store(model))
    if (isRead) expect(await outcome).toBe(0)
    else await expect(outcome).rejects.toMatchObject({ kind: 'lost' })
    const often = failing(times('lost', 9))
    await expect(act(repeatingSource(often.source, 3).store(model))).rejects.toMatchObject({
      kind: isRead ? 'unavailable' : 'lost',
    })
    expect(often.attempts()).toBe(isRead ? 3 : 1)
  })

  it.each(['unavailable', 'unique', 'check', 'unrepresentable'] as const)(
    'is not repeated after %s',
    async (kind) => {
      const refused = failing([kind])
      await expect(act(repeatingSource(refused.source, 3).store(model))).rejects.toMatchObject({ kind })
      expect(refused.attempts()).toBe(1)
    },
  )

  it('is done once where nothing may be repeated', async () => {
    for (const kind of ['contended', 'lost'] as const) {
      const refused = failing([kind])
      await expect(act(repeatingSource(refused.source, 0).store(model))).rejects.toBeInstanceOf(SourceError)
      expect(refused.attempts()).toBe(1)
    }
  })
})

it('transactions are not repeated by the source: it does not know what their work does', async () => {
  const { source, attempts } = failing(['contended'])
  await expect(repeatingSource(source, 3).transaction(() => 0)).rejects.toMatchObject({ kind: 'contended' })
  expect(attempts()).toBe(1)
})

it('a synchronous source stays as it is', () => {
  const { source } = failing([], true)
  expect(repeatingSource(source, 3)).toBe(source)
})
