import { describe, expect, it } from 'vitest'
import { type Comparison, type Condition, everything } from '../../../src/query/ast.ts'
import { isComparable, isOrdered } from '../evaluate.ts'
import { pairs } from './samples.ts'
import type { Stage } from './stage.ts'

const not = (condition: Condition): Condition => ({ op: 'not', condition })

export const conditions = ({ connected, store, model, book }: Stage): void => {
  describe('conditions', () => {
    it('every field that can be compared has a pair of values', () => {
      const compared = model('Book').fields.filter((field) => isComparable(field) && !field.generated)
      const names = compared.map(({ name }) => name).filter((name) => !/id$/i.test(name) && name !== 'isbn')
      expect(names.filter((name) => pairs[name] === undefined)).toEqual([])
    })

    it('compare each kind of field, and null as the contract says', async () => {
      for (const field of model('Book').fields) {
        const pair = pairs[field.name]
        if (pair === undefined) continue
        await connected().execute('delete from books')
        const [low, high] = pair
        const names = new Map([[(await book({ [field.name]: low }))['id'], 'low']])
        names.set((await book({ [field.name]: high }))['id'], 'high')
        if (field.nullable) names.set((await book({ [field.name]: null }))['id'], 'null')
        const orNull = field.nullable ? ['null'] : []
        const found = async (filter: Condition) => {
          const order = [{ field: 'isbn', direction: 'asc' }] as const
          const rows = await store('Book').list({ filter, order, limit: 9, offset: 0 }, everything)
          return rows.map((row) => names.get(row['id'])).sort()
        }
        const compare = (op: Comparison, value: unknown) => found({ op, field: field.name, value })
        const among = (values: readonly unknown[]): Condition => ({ op: 'in', field: field.name, values })
        const all = ['high', 'low', ...orNull]

        expect(await compare('eq', low), field.name).toEqual(['low'])
        expect(await compare('ne', low), field.name).toEqual(['high', ...orNull])
        expect(await found(not({ op: 'eq', field: field.name, value: low }))).toEqual(['high', ...orNull])
        expect(await found(not({ op: 'ne', field: field.name, value: low }))).toEqual(['low'])
        expect(await found(among([low, high]))).toEqual(['high', 'low'])
        expect(await found(among([high]))).toEqual(['high'])
        expect(await found(among([]))).toEqual([])
        expect(await found(not(among([low])))).toEqual(['high', ...orNull])
        expect(await found(not(among([])))).toEqual(all)
        expect(await found({ op: 'is-null', field: field.name })).toEqual(orNull)
        expect(await found({ op: 'is-not-null', field: field.name })).toEqual(['high', 'low'])
        expect(await found(not({ op: 'is-null', field: field.name }))).toEqual(['high', 'low'])
        if (!isOrdered(field)) continue
        expect(await compare('lt', low), field.name).toEqual([])
        expect(await compare('lt', high), field.name).toEqual(['low'])
        expect(await compare('le', low), field.name).toEqual(['low'])
        expect(await compare('gt', low), field.name).toEqual(['high'])
        expect(await compare('ge', low), field.name).toEqual(['high', 'low'])
        expect(await found(not({ op: 'gt', field: field.name, value: low }))).toEqual(['low', ...orNull])
      }
    })

    it('a value that no record can have is none that is found', async () => {
      const { id } = await book({ loanPeriod: '14 days' })
      const count = (op: Comparison, value: unknown) =>
        store('Book').count({ op, field: 'loanPeriod', value }, { op: 'eq', field: 'id', value: id })
      expect(await count('eq', '14 days')).toBe(1)
      expect(await count('eq', 'neither a text nor a period')).toBe(0)
      expect(await count('ne', 'neither a text nor a period')).toBe(1)
    })

    it('an empty and is true, an empty or is false', async () => {
      await book()
      const count = (filter: Condition) => store('Book').count(filter, everything)
      expect(await count({ op: 'and', conditions: [] })).toBe(1)
      expect(await count({ op: 'or', conditions: [] })).toBe(0)
      expect(await count(not({ op: 'and', conditions: [] }))).toBe(0)
      expect(await count(not({ op: 'or', conditions: [] }))).toBe(1)
      expect(await count({ op: 'and', conditions: [{ op: 'or', conditions: [] }] })).toBe(0)
    })

    const titles = async (op: Comparison, value: string): Promise<readonly unknown[]> => {
      const filter = { op, field: 'title', value } as const
      const order = [{ field: 'title', direction: 'asc' }] as const
      const rows = await store('Book').list({ filter, order, limit: 99, offset: 0 }, everything)
      return rows.map((row) => row['title'])
    }

    it('contains takes every character as it is, and ASCII letters in either case', async () => {
      const all = ['100 % Lem', '100 x Lem', 'a_b', 'axb', 'back\\slash', 'it\'s "q"', '👩‍🚀 LEM']
      for (const title of all) await book({ title })
      expect(await titles('contains', 'lEm')).toEqual(['100 % Lem', '100 x Lem', '👩‍🚀 LEM'])
      expect(await titles('contains', '0 % l')).toEqual(['100 % Lem'])
      expect(await titles('contains', 'A_B')).toEqual(['a_b'])
      expect(await titles('contains', '\\S')).toEqual(['back\\slash'])
      expect(await titles('contains', '\\')).toEqual(['back\\slash'])
      expect(await titles('contains', `'s "Q`)).toEqual(['it\'s "q"'])
      expect(await titles('contains', '🚀')).toEqual(['👩‍🚀 LEM'])
      expect(await titles('contains', '')).toEqual(all)
    })

    it('contains folds the case of all letters where the source says so, of ASCII alone where not', async () => {
      await book({ title: 'ÉCLAIR' })
      const { unicodeCaseFolding } = connected().source.capabilities
      expect(await titles('contains', 'éclair')).toEqual(unicodeCaseFolding ? ['ÉCLAIR'] : [])
      expect(await titles('contains', 'Éclair')).toEqual(['ÉCLAIR'])
    })

    it('equals compares text byte for byte', async () => {
      for (const title of ['Eden', 'eden', 'Eden ', 'E\u0301den']) await book({ title })
      expect(await titles('eq', 'Eden')).toEqual(['Eden'])
      expect(await titles('eq', 'eden')).toEqual(['eden'])
      expect(await titles('eq', 'Eden ')).toEqual(['Eden '])
      expect(await titles('eq', 'Éden')).toEqual([])
      expect(await titles('eq', 'Eden%')).toEqual([])
      expect(await titles('ne', 'Eden')).toHaveLength(3)
    })
  })
}
