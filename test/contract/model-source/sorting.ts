import { describe, expect, it } from 'vitest'
import { everything, type Order } from '../../../src/query/ast.ts'
import { byOrder, isOrdered } from '../evaluate.ts'
import { plain, type Stage } from './stage.ts'

export const sorting = ({ connected, store, model, book, hard }: Stage): void => {
  describe('sorting', () => {
    const all = async (order: readonly Order[]) =>
      store('Book').list({ filter: everything, order, limit: 99, offset: 0 }, everything)

    it('goes by value in both directions, null the largest', async () => {
      for (const field of model('Book').fields.filter(isOrdered)) {
        const samples = hard(field.name)
        if (samples === undefined) continue
        await connected().execute('delete from books')
        for (const value of samples) await book({ [field.name]: value })
        for (const direction of ['asc', 'desc'] as const) {
          const order: readonly Order[] = [{ field: field.name, direction }]
          const rows = await all(order)
          const expected = [...rows].sort(byOrder(order, model('Book')))
          const shown = (row: { readonly [name: string]: unknown }) => plain(row[field.name])
          expect(rows.map(shown), `${field.name} ${direction}`).toEqual(expected.map(shown))
          const nulls = samples.includes(null) ? rows.at(direction === 'asc' ? -1 : 0) : rows[0]
          expect(nulls?.[field.name] === null, field.name).toBe(samples.includes(null))
        }
      }
    })

    it('mixes directions, the later keys break ties', async () => {
      const rows = [
        [null, 2],
        [1, 1],
        [null, 1],
        [1, 2],
        [0.5, 3],
      ]
      for (const [rating, pages] of rows) await book({ rating, pages })
      const sorted = async (first: Order['direction'], second: Order['direction']) => {
        const found = await all([
          { field: 'rating', direction: first },
          { field: 'pages', direction: second },
        ])
        return found.map((row) => `${row['rating']}/${row['pages']}`).join(' ')
      }
      expect(await sorted('asc', 'asc')).toBe('0.5/3 1/1 1/2 null/1 null/2')
      expect(await sorted('asc', 'desc')).toBe('0.5/3 1/2 1/1 null/2 null/1')
      expect(await sorted('desc', 'asc')).toBe('null/1 null/2 1/1 1/2 0.5/3')
      expect(await sorted('desc', 'desc')).toBe('null/2 null/1 1/2 1/1 0.5/3')
    })
  })
}
