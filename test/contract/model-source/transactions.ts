import { describe, expect, it } from 'vitest'
import { type Condition, everything } from '../../../src/query/ast.ts'
import type { Awaitable, Session } from '../../../src/source/source.ts'
import { naming } from '../../naming.ts'
import { errorOf, type Stage } from './stage.ts'

export const transactions = ({ connected, model, store, author, book }: Stage): void => {
  const authors = () => store('Author').count(everything, everything)
  const has = () => connected().source.capabilities.transactions
  const isSync = () => connected().source.capabilities.synchronous

  /** Work in a transaction, a step at a time: no step waits where the driver is synchronous. */
  const inTransaction = <T>(
    ...steps: readonly ((inside: Session, before: unknown) => Awaitable<unknown>)[]
  ): Awaitable<T> =>
    connected().source.transaction((inside) => {
      if (!isSync()) {
        return (async () => {
          let last: unknown
          for (const step of steps) last = await step(inside, last)
          return last as T
        })()
      }
      return steps.reduce<unknown>((last, step) => step(inside, last), undefined) as T
    })

  const create = (name: string) => (inside: Session) => inside.store(model('Author')).create({ name })
  const fail = () => {
    throw new Error('of the work')
  }

  describe('transactions', () => {
    it('there are none where the source says so', async () => {
      if (has()) return
      expect(await errorOf(() => inTransaction(create('a')))).toMatchObject({ name: 'Error' })
      expect(await authors()).toBe(0)
    })

    it('keep what the work did, and give what it gave', async () => {
      if (!has()) return
      const given = await inTransaction(create('a'), create('b'))
      expect(given).toMatchObject({ name: 'b' })
      expect(await authors()).toBe(2)
    })

    it('undo everything where the work throws, and throw what it threw', async () => {
      if (!has()) return
      expect(await errorOf(() => inTransaction(create('a'), fail))).toEqual(new Error('of the work'))
      expect(await authors()).toBe(0)
      await inTransaction(create('a'))
      expect(await authors()).toBe(1)
    })

    it('show their own writes inside, and their handle reads them too', async () => {
      if (!has()) return
      const counted = await inTransaction(create('a'), ({ store: inside }) =>
        inside(model('Author')).count(everything, everything),
      )
      expect(counted).toBe(1)
    })

    it('hand out a handle that ends with them', async () => {
      if (!has()) return
      let handle: unknown
      await inTransaction(({ db }) => {
        handle = db
        expect(Reflect.get(db as object, 'insert')).toBeTypeOf('function')
        return undefined
      })
      expect(() => Reflect.get(handle as object, 'insert')).toThrow(naming('context.db'))
    })

    it('tell what the database refused, and which foreign key was broken', async () => {
      if (!has()) return
      const known = await book()
      const createBook = (values: object) => (inside: Session) => {
        const { id: _id, titleLength: _titleLength, ...rest } = { ...known, ...values }
        return inside.store(model('Book')).create(rest)
      }
      const conflict = await errorOf(() => inTransaction(create('a'), createBook({})))
      expect(conflict).toMatchObject({ kind: 'unique', fields: ['isbn'] })
      const missing = await errorOf(() =>
        inTransaction(create('a'), createBook({ isbn: 'other', translatorId: 999_999 })),
      )
      expect(missing).toMatchObject({ kind: 'missing-reference', fields: ['translatorId'] })
      const held = await errorOf(() =>
        inTransaction(create('a'), (inside) =>
          inside.store(model('Author')).remove([known['authorId']], everything),
        ),
      )
      expect(held).toMatchObject({ kind: 'still-referenced', models: ['Book'] })
      expect(await authors()).toBe(1)
    })

    it('are one tick with a synchronous driver: work that gives a promise is undone', async () => {
      if (!has() || !isSync()) return
      const error = await errorOf(() =>
        connected().source.transaction((inside) => {
          inside.store(model('Author')).create({ name: 'a' })
          return Promise.reject(new Error('later'))
        }),
      )
      expect(error).toMatchObject({
        name: 'Error',
        message: expect.not.stringContaining('later'),
      })
      expect(await authors()).toBe(0)
    })

    it('wait for each other, and see nothing of each other, where they take their time', async () => {
      if (!has() || isSync()) return
      const seen = await Promise.all(
        Array.from({ length: 8 }, async (_, place) => {
          const byName: Condition = { op: 'eq', field: 'name', value: `a${place}` }
          try {
            return await inTransaction(
              create(byName.value as string),
              ({ store: inside }) => inside(model('Author')).count(byName, everything),
              place % 2 === 0 ? (_inside, count) => count : fail,
            )
          } catch {
            return 'undone'
          }
        }),
      )
      expect(seen).toEqual([1, 'undone', 1, 'undone', 1, 'undone', 1, 'undone'])
      expect(await authors()).toBe(4)
    })
  })

  describe('taking a record', () => {
    it('gives it back as it was, once', async () => {
      const a = await author()
      expect(await store('Author').take([a['id']], everything)).toEqual(a)
      expect(await store('Author').take([a['id']], everything)).toBeUndefined()
    })

    it('asks the guard, and the foreign keys', async () => {
      const b = await book()
      const nothing: Condition = { op: 'or', conditions: [] }
      expect(await store('Author').take([b['authorId']], nothing)).toBeUndefined()
      expect(await errorOf(() => store('Author').take([b['authorId']], everything))).toMatchObject({
        kind: 'still-referenced',
      })
    })
  })

  describe('conditions on a related record', () => {
    const of = (relation: string, condition: Condition): Condition => ({ op: 'related', relation, condition })
    const byName = (value: string): Condition => ({ op: 'eq', field: 'name', value })

    it('hold where it is there and they hold for it', async () => {
      const b = await book()
      const books = (guard: Condition) => store('Book').count(everything, guard)
      expect(await books(of('author', byName('Stanisław Lem')))).toBe(1)
      expect(await books(of('author', byName('Somebody')))).toBe(0)
      expect(await books(of('translator', everything))).toBe(0)
      expect(await books({ op: 'not', condition: of('translator', everything) })).toBe(1)
      expect(await store('Book').read([b['id']], of('author', byName('Somebody')))).toBeUndefined()
      expect(await store('Book').remove([b['id']], of('author', byName('Somebody')))).toBe(false)
      expect(
        await store('Book').update([b['id']], { pages: 1 }, of('author', byName('Stanisław Lem'))),
      ).toMatchObject({ pages: 1 })
    })

    it('reach on, also within one table', async () => {
      const [top] = [await store('Category').create({ name: 'top' })]
      const middle = await store('Category').create({ name: 'middle', parentId: top['id'] })
      const low = await store('Category').create({ name: 'low', parentId: middle['id'] })
      const under = of('parent', of('parent', byName('top')))
      expect(await store('Category').count(everything, under)).toBe(1)
      expect(await store('Category').read([low['id']], under)).toEqual(low)
      expect(await store('Category').update([low['id']], { name: 'x' }, under)).toMatchObject({ name: 'x' })
      expect(await store('Category').take([low['id']], under)).toMatchObject({ name: 'x' })
    })
  })
}
