import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everything } from '../../src/query/ast.ts'
import { acts } from './model-source/acts.ts'
import { capabilities } from './model-source/capabilities.ts'
import { choosing } from './model-source/choosing.ts'
import { conditions } from './model-source/conditions.ts'
import { counting } from './model-source/counting.ts'
import { guards } from './model-source/guards.ts'
import { names } from './model-source/names.ts'
import { observing } from './model-source/observing.ts'
import { random } from './model-source/random.ts'
import { refusals } from './model-source/refusals.ts'
import { sorting } from './model-source/sorting.ts'
import { type Connect, type Connected, errorOf, stageOf } from './model-source/stage.ts'
import { transactions } from './model-source/transactions.ts'
import { values } from './model-source/values.ts'

export type { Connect, Connected } from './model-source/stage.ts'

/** A cold database in this process may take its time. */
const START = 60_000

/** What every source of models must do, on the tables of the library. */
export const modelSourceContract = (name: string, connect: Connect): void => {
  describe(`${name} as a source of models`, { timeout: START }, () => {
    describe('with its database', () => {
      let connected: Connected
      beforeAll(async () => {
        connected = await connect()
      }, START)
      afterAll(() => connected.close())
      const stage = stageOf(() => connected)
      for (const part of [
        acts,
        guards,
        values,
        names,
        conditions,
        sorting,
        choosing,
        counting,
        refusals,
        capabilities,
        random,
        transactions,
        observing,
      ])
        part(stage)
    })

    it('says which tables and columns are missing, and that the database is away', async () => {
      const { source, execute, kill, close } = await connect()
      const modelOf = (wanted: string) => source.models.filter((model) => model.name === wanted)
      expect(await source.missing?.(source.models)).toEqual([])
      expect(await source.missing?.([])).toEqual([])
      expect(await source.ping()).toBeUndefined()
      await execute('drop view cheap_books; drop table reviews')
      const tables = [
        { model: 'Review', table: 'reviews' },
        { model: 'CheapBook', table: 'cheap_books' },
      ]
      expect(await source.missing?.(source.models)).toMatchObject(tables)
      expect(await source.missing?.(modelOf('Author'))).toEqual([])
      await execute('alter table authors drop column bio')
      const columns = [{ model: 'Author', table: 'authors', columns: ['bio'] }]
      expect(await source.missing?.(source.models)).toMatchObject([...columns, ...tables])
      expect(await source.missing?.(modelOf('Book'))).toEqual([])

      const [author] = modelOf('Author')
      if (author === undefined) throw new Error('there is no Author')
      const store = source.store(author)
      await store.count(everything, everything)
      await kill()
      expect(await store.estimate?.(everything)).toBeUndefined()
      const acts = [
        () => store.list({ filter: everything, order: [], limit: 1, offset: 0 }, everything),
        () => store.count(everything, everything),
        () => store.read([1], everything),
        () => store.create({ name: 'x' }),
        () => store.update([1], { name: 'x' }, everything),
        () => store.remove([1], everything),
        () => store.take([1], everything),
        () => source.missing?.(source.models),
        () => source.ping(),
      ]
      for (const act of acts) expect(await errorOf(act)).toMatchObject({ kind: 'unavailable' })
      await close()
    })
  })
}
