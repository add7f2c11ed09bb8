import { describe, expect, it } from 'vitest'
import { describeModels, type ModelSource, type Row, SourceError } from '../../../src/entry/source.ts'
import type { MappedModel } from '../../../src/source/sql/mapping.ts'
import { type Orm, ormSource } from '../../../src/source/sql/orm-source.ts'

const refused = new Error('The database refused.')

/** A source whose ORM has one connection, and what its statements did, in order. */
const open = (given: Partial<Orm<{ name: string }, MappedModel>> = {}) => {
  const log: string[] = []
  const capabilities = { transactions: true, rowLocks: true, exactText: true }
  const [model] = describeModels(
    [{ name: 'Task', fields: [{ name: 'id', kind: 'integer' }], primaryKey: ['id'] }],
    capabilities,
  )
  if (model === undefined) throw new Error('There is no model.')
  const nothing = () => Promise.reject(new Error('not asked'))
  const readError = (error: unknown) => (error === refused ? ({ kind: 'unique' } as const) : undefined)
  const source: ModelSource = ormSource<unknown, { name: string }, MappedModel>({
    ...{ capabilities, handle: { name: 'outside' }, isGated: true },
    models: [{ model, indexes: [] }],
    handleOf: (handle) => handle,
    statementsOf: ({ name }) => ({
      ...{ list: nothing, count: nothing, read: nothing, create: nothing, update: nothing },
      ...{ remove: nothing, take: nothing },
      createMany: async (values) => {
        log.push(`${name} begins`)
        await Promise.resolve()
        if (values.length === 0) throw refused
        log.push(`${name} ends`)
        return values
      },
    }),
    transaction: (work) => work({ name: 'inside' }),
    ...{ ping: nothing, missing: nothing, conditionOf: nothing },
    readError,
    refusing: () => ({
      ...{ readError, fieldsOf: () => [] },
      brokenKeys: { missing: () => [], holding: () => [] },
    }),
    isOwnError: () => false,
    loggable: (error) => error,
    ...given,
  })
  return { source, log, store: source.store(model), model }
}

const rows: readonly Row[] = [{ id: 1 }, { id: 2 }]

describe('createMany through an ORM', () => {
  it('runs in its transaction, while others wait for its end', async () => {
    for (const gating of [{ isGated: true }, { isGated: false, hasOneWriter: true }]) {
      const { source, log, store, model } = open(gating)
      const others: Promise<unknown>[] = []
      const stored = await source.transaction(async (inside) => {
        others.push(Promise.resolve(store.createMany?.(rows)))
        const created = await inside.store(model).createMany?.(rows)
        log.push('committed')
        return created
      })
      await Promise.allSettled(others)
      expect(stored).toEqual(rows)
      expect(log.slice(0, 3)).toEqual(['inside begins', 'inside ends', 'committed'])
    }
  })

  it('does not let another write join a call outside of a transaction', async () => {
    const { log, store } = open()
    expect(await Promise.all([store.createMany?.(rows), store.createMany?.(rows)])).toEqual([rows, rows])
    expect(log).toEqual(['outside begins', 'outside ends', 'outside begins', 'outside ends'])
  })

  it('throws what the database refused, inside and outside', async () => {
    const { source, store, model } = open()
    const refusal = { kind: 'unique', cause: refused }
    const inside = source.transaction(async (session) => session.store(model).createMany?.([]))
    await expect(inside).rejects.toBeInstanceOf(SourceError)
    await expect(inside).rejects.toMatchObject(refusal)
    await expect(store.createMany?.([])).rejects.toMatchObject(refusal)
  })

  it('is absent if the ORM does not have it', () => {
    const full = open()
    expect(full.store.createMany).toBeTypeOf('function')
    const nothing = () => Promise.reject(new Error('not asked'))
    const { store } = open({
      statementsOf: () => ({
        ...{ list: nothing, count: nothing, read: nothing, create: nothing, update: nothing },
        ...{ remove: nothing, take: nothing },
      }),
    })
    expect('createMany' in store).toBe(false)
  })
})
