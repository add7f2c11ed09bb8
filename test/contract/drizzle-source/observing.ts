import { describe, expect, it } from 'vitest'
import { type Condition, everything } from '../../../src/query/ast.ts'
import { ofOperation, watched } from '../../../src/testing/source/observing.ts'
import { errorOf, type Stage } from './stage.ts'

const secret = 'value-that-nobody-tells'
const named: Condition = { op: 'eq', field: 'name', value: secret }

export const observing = ({ connected, model }: Stage): void => {
  const watch = () => {
    const { observed: source, statements: told } = watched(connected().source)
    return { source, told, authors: source.store(model('Author')) }
  }
  const of = ofOperation

  describe('those who watch', () => {
    it('are told of each statement, without its values', async () => {
      const { authors, told } = watch()
      const { id } = await authors.create({ name: secret })
      await authors.list({ filter: named, order: [], limit: 17_171, offset: 0 }, everything)
      await authors.count(everything, everything)
      await authors.read([id], everything)
      await authors.update([id], { bio: secret }, everything)
      await authors.remove([id], everything)
      for (const operation of ['insert', 'select', 'update', 'delete'])
        expect(of(told, operation).length, operation).toBeGreaterThan(0)
      expect(of(told, 'select').length).toBeGreaterThanOrEqual(3)
      expect(told.map(({ begun }) => begun.text).join()).not.toMatch(/value-that|17171/)
      // A source may have a question of its own, as which version of the database it is.
      const ofAuthors = told.filter(({ begun }) => begun.model !== undefined)
      for (const { begun, ended, steps } of ofAuthors) {
        expect(begun).toMatchObject({
          system: expect.stringMatching(/^(sqlite|postgresql|mysql)$/),
          model: 'Author',
          table: 'authors',
          text: expect.stringMatching(new RegExp(`^${begun.operation} .*authors`)),
        })
        expect(ended).toMatchObject({ error: undefined, code: undefined })
        expect(ended.seconds).toBeGreaterThan(0)
        expect(steps).toEqual(['begun', 'run', 'ended'])
      }
    })

    it('are told of what a database refuses, by its kind', async () => {
      const { source, told } = watch()
      const shelves = source.store(model('Shelf'))
      await shelves.create({ code: 'a' })
      expect(await errorOf(() => shelves.create({ code: 'a' }))).toMatchObject({ kind: 'unique' })
      expect(of(told, 'insert').map(({ ended }) => ended.error)).toEqual([undefined, 'unique'])
      expect(JSON.stringify(of(told, 'insert').at(-1)?.ended)).not.toMatch(/duplicate|constraint failed/i)
    })

    it('are told once of what happens inside of a transaction', async () => {
      const { source, told } = watch()
      if (!source.capabilities.transactions) return
      await source.transaction((inside) => inside.store(model('Author')).create({ name: secret }))
      expect(of(told, 'insert')).toHaveLength(1)
      expect(of(told, 'insert')[0]?.steps).toEqual(['begun', 'run', 'ended'])
      expect(await connected().source.store(model('Author')).count(named, everything)).toBe(1)
    })

    it('change nothing of what is at once', async () => {
      const { source, authors } = watch()
      const given = authors.count(everything, everything)
      expect(typeof given === 'number').toBe(source.capabilities.synchronous)
      expect(await given).toBe(0)
    })
  })
}
