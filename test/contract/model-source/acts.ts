import { describe, expect, it } from 'vitest'
import { type Condition, everything, type Order } from '../../../src/query/ast.ts'
import { DEFAULT } from '../../../src/source/source.ts'
import { errorOf, keyOf, plain, type Stage } from './stage.ts'

const byId: readonly Order[] = [{ field: 'id', direction: 'asc' }]
const page = { filter: everything, order: byId, limit: 100, offset: 0 }

export const acts = ({ store, model, author, book }: Stage): void => {
  describe('acts', () => {
    it('create stores a record and gives it back with its defaults', async () => {
      const row = await book()
      expect(row).toMatchObject({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        title: 'Solaris',
        discount: '0.0500',
        inStock: true,
        genre: 'novel',
        rating: null,
        titleLength: 7,
      })
      expect(await store('Book').read([row['id']], everything)).toEqual(row)
    })

    it('records have the fields of the model, in its order', async () => {
      const names = model('Book').fields.map(({ name }) => name)
      const row = await book()
      expect(Object.keys(row)).toEqual(names)
      const [listed = {}] = await store('Book').list(page, everything)
      expect(Object.keys(listed)).toEqual(names)
      expect(listed).toEqual(row)
    })

    it('create takes a record that names nothing but what it must', async () => {
      expect(await store('Shelf').create({ code: 'a,b/c %' })).toEqual({ code: 'a,b/c %', floor: 0 })
      expect(await store('Shelf').read(['a,b/c %'], everything)).toEqual({ code: 'a,b/c %', floor: 0 })
    })

    it('read finds by all parts of a key, and says where there is none', async () => {
      const { id } = await book()
      await store('Review').create({ bookId: id, reviewer: 'Ann', stars: 5 })
      await store('Review').create({ bookId: id, reviewer: 'ann', stars: 1 })
      expect(await store('Review').read([id, 'Ann'], everything)).toMatchObject({ stars: 5, note: null })
      expect(await store('Review').read([id, 'Bea'], everything)).toBeUndefined()
      expect(await store('Author').read([0], everything)).toBeUndefined()
    })

    it('update changes the named fields alone', async () => {
      const row = await book({ rating: 1 })
      const other = await book()
      const key = keyOf(model('Book'), row)
      const changed = await store('Book').update(key, { title: 'Eden', rating: null }, everything)
      expect(changed).toEqual({ ...row, title: 'Eden', rating: null, titleLength: 4 })
      expect(await store('Book').read(key, everything)).toEqual(changed)
      expect(await store('Book').read(keyOf(model('Book'), other), everything)).toEqual(other)
    })

    it('update without values gives the record as it is', async () => {
      const row = await book()
      expect(await store('Book').update([row['id']], {}, everything)).toEqual(row)
      expect(await store('Book').update([row['id']], { title: undefined }, everything)).toEqual(row)
    })

    it('update gives a field its default', async () => {
      const { id } = await book({ discount: '1.0000', inStock: false, genre: 'poetry', rating: 2 })
      const values = { discount: DEFAULT, inStock: DEFAULT, genre: DEFAULT }
      expect(await store('Book').update([id], values, everything)).toMatchObject({
        discount: '0.0500',
        inStock: true,
        genre: 'novel',
        rating: 2,
      })
    })

    it('update and remove say where there is no such record', async () => {
      expect(await store('Author').update([0], { name: 'x' }, everything)).toBeUndefined()
      expect(await store('Author').update([0], {}, everything)).toBeUndefined()
      expect(await store('Author').remove([0], everything)).toBe(false)
    })

    it('remove takes one record, once', async () => {
      const [first, second] = [await author(), await author()]
      expect(await store('Author').remove([first['id']], everything)).toBe(true)
      expect(await store('Author').remove([first['id']], everything)).toBe(false)
      expect(await store('Author').list(page, everything)).toEqual([second])
    })

    it('list gives pages in order, and count all of them', async () => {
      for (const name of ['c', 'a', 'd', 'b']) await store('Author').create({ name })
      const names = async (limit: number, offset: number) => {
        const order: readonly Order[] = [{ field: 'name', direction: 'desc' }, ...byId]
        const rows = await store('Author').list({ filter: everything, order, limit, offset }, everything)
        return rows.map((row) => row['name']).join('')
      }
      expect(await names(2, 0)).toBe('dc')
      expect(await names(2, 1)).toBe('cb')
      expect(await names(9, 3)).toBe('a')
      expect(await names(2, 4)).toBe('')
      expect(await names(2, Number.MAX_SAFE_INTEGER)).toBe('')
      expect(await store('Author').count(everything, everything)).toBe(4)
      const filter: Condition = { op: 'lt', field: 'name', value: 'c' }
      expect(await store('Author').count(filter, everything)).toBe(2)
      expect(await store('Author').list({ ...page, filter }, everything)).toHaveLength(2)
    })

    it('views are listed, counted and read', async () => {
      const cheap = await book({ price: '9.99' })
      await book({ price: '10.00' })
      const expected = { id: cheap['id'], title: 'Solaris', price: '9.99', rating: null }
      expect(await store('CheapBook').list(page, everything)).toEqual([expected])
      expect(await store('CheapBook').count(everything, everything)).toBe(1)
      expect(await store('CheapBook').read([cheap['id']], everything)).toEqual(expected)
    })

    it('what is no field is refused, not left out', async () => {
      expect(String(await errorOf(() => store('Author').create({ name: 'x', nope: 1 })))).toMatch(/nope/)
      const { id } = await author()
      expect(String(await errorOf(() => store('Author').update([id], { nope: 1 }, everything)))).toMatch(
        /nope/,
      )
      expect(plain((await store('Author').read([id], everything))?.['name'])).toBe('Stanisław Lem')
    })
  })
}
