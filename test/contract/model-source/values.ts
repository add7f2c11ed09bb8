import { describe, expect, it } from 'vitest'
import { everything } from '../../../src/query/ast.ts'
import { isComparable } from '../evaluate.ts'
import { plain, type Stage } from './stage.ts'

export const values = ({ store, model, book, hard }: Stage): void => {
  describe('values', () => {
    const samplesOf = () =>
      model('Book').fields.flatMap((field) => {
        const samples = hard(field.name)
        return samples === undefined ? [] : [{ field, samples }]
      })

    it('every kind of field of the library has samples', () => {
      const sampled = new Set(samplesOf().map(({ field }) => field.kind))
      const writable = model('Book').fields.filter(({ generated }) => !generated)
      const withoutKeys = writable.filter(({ name }) => !/id$/i.test(name) && name !== 'isbn')
      expect(withoutKeys.map(({ kind }) => kind).filter((kind) => !sampled.has(kind))).toEqual([])
    })

    it('come back as they went in, created and updated', async () => {
      const { id, authorId } = await book()
      for (const { field, samples } of samplesOf()) {
        for (const sample of samples) {
          const about = `${field.name} ${String(plain(sample)).slice(0, 40)}`
          const created = await book({ authorId, [field.name]: sample })
          expect(plain(created[field.name]), about).toEqual(plain(sample))
          const updated = await store('Book').update([id], { [field.name]: sample }, everything)
          expect(plain(updated?.[field.name]), about).toEqual(plain(sample))
          const read = await store('Book').read([id], everything)
          expect(plain(read?.[field.name]), about).toEqual(plain(sample))
        }
      }
    })

    it('are found as they were given', async () => {
      const { authorId } = await book()
      for (const { field, samples } of samplesOf().filter(({ field }) => isComparable(field))) {
        for (const value of samples.filter((sample) => sample !== null)) {
          const { id } = await book({ authorId, [field.name]: value })
          const guard = { op: 'eq', field: field.name, value } as const
          const about = `${field.name} ${String(plain(value)).slice(0, 40)}`
          expect(await store('Book').read([id], guard), about).toMatchObject({ id })
          expect(await store('Book').read([id], { op: 'not', condition: guard }), about).toBeUndefined()
        }
      }
    })

    it('long texts are kept whole', async () => {
      const bio = 'ä\\%"\'\n'.repeat(20_000)
      const { id } = await store('Author').create({ name: 'x', bio })
      expect((await store('Author').read([id], everything))?.['bio']).toBe(bio)
      expect(await store('Author').count({ op: 'eq', field: 'bio', value: bio }, everything)).toBe(1)
    })
  })
}
