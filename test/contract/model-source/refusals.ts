import { describe, expect, it } from 'vitest'
import { everything } from '../../../src/query/ast.ts'
import { type Awaitable, SourceError } from '../../../src/source/source.ts'
import { naming } from '../../naming.ts'
import { errorOf, type Stage } from './stage.ts'

/** What of a refusal is the same on every database. */
const refusal = async (act: () => Awaitable<unknown>): Promise<object> => {
  const error = await errorOf(act)
  expect(error).toBeInstanceOf(SourceError)
  const { kind, fields, models, cause, message } = error as SourceError
  expect(cause).toBeDefined()
  expect(message).toBe(`${kind}: ${[...fields, ...models].join(', ')}`)
  return { kind, fields, models }
}

export const refusals = ({ connected, store, author, book }: Stage): void => {
  describe('refusals', () => {
    it('a value that is taken', async () => {
      const { id, isbn } = await book()
      expect(await refusal(() => book({ isbn }))).toEqual({ kind: 'unique', fields: ['isbn'], models: [] })
      const other = await book()
      expect(await refusal(() => store('Book').update([other['id']], { isbn }, everything))).toEqual({
        kind: 'unique',
        fields: ['isbn'],
        models: [],
      })
      expect(await refusal(() => book({ id }))).toMatchObject({ kind: 'unique', fields: ['id'] })
      const review = { bookId: id, reviewer: `O'Brien, (A)=(B)`, stars: 1 }
      await store('Review').create(review)
      expect(await refusal(() => store('Review').create(review))).toEqual({
        kind: 'unique',
        fields: ['bookId', 'reviewer'],
        models: [],
      })
    })

    it('a record that is pointed to and not there', async () => {
      const { id, authorId } = await book()
      const missing = { kind: 'missing-reference', models: [] }
      expect(await refusal(() => book({ authorId: 0 }))).toEqual({ ...missing, fields: ['authorId'] })
      expect(await refusal(() => book({ authorId, categoryId: 0, translatorId: 0 }))).toEqual({
        ...missing,
        fields: ['translatorId', 'categoryId'],
      })
      const one = { categoryId: 0, translatorId: null, authorId }
      expect(await refusal(() => book(one))).toEqual({ ...missing, fields: ['categoryId'] })
      expect(await refusal(() => store('Book').update([id], { categoryId: 0 }, everything))).toEqual({
        ...missing,
        fields: ['categoryId'],
      })
      expect(
        await refusal(() => store('Review').create({ bookId: crypto.randomUUID(), reviewer: 'x', stars: 1 })),
      ).toEqual({ ...missing, fields: ['bookId'] })
    })

    it('a record that others point to', async () => {
      const { id, authorId } = await book()
      const held = { kind: 'still-referenced', fields: ['authorId'], models: ['Book'] }
      expect(await refusal(() => store('Author').remove([authorId], everything))).toEqual(held)
      expect(await refusal(() => store('Author').update([authorId], { id: 4711 }, everything))).toEqual(held)
      const translator = await author()
      await book({ authorId, translatorId: translator['id'] })
      expect(await refusal(() => store('Author').remove([translator['id']], everything))).toEqual({
        ...held,
        fields: ['translatorId'],
      })
      await store('Review').create({ bookId: id, reviewer: 'x', stars: 1 })
      expect(await refusal(() => store('Book').remove([id], everything))).toEqual({
        kind: 'still-referenced',
        fields: ['bookId'],
        models: ['Review'],
      })
    })

    it('a record that its own kind points to', async () => {
      const parent = await store('Category').create({ name: 'a' })
      await store('Category').create({ name: 'b', parentId: parent['id'] })
      await book({ categoryId: parent['id'] })
      expect(await refusal(() => store('Category').remove([parent['id']], everything))).toEqual({
        kind: 'still-referenced',
        fields: ['parentId', 'categoryId'],
        models: ['Category', 'Book'],
      })
    })

    it('null where there must be a value', async () => {
      const missing = { kind: 'not-null', fields: ['title'], models: [] }
      expect(await refusal(() => book({ title: null }))).toEqual(missing)
      expect(await refusal(() => book({ title: undefined }))).toEqual(missing)
      const { id } = await book()
      expect(await refusal(() => store('Book').update([id], { title: null }, everything))).toEqual(missing)
    })

    it('a value that a check refuses', async () => {
      const { id } = await book()
      expect(await refusal(() => store('Review').create({ bookId: id, reviewer: 'x', stars: 9 }))).toEqual({
        kind: 'check',
        fields: ['stars'],
        models: [],
      })
    })

    it('a value that the column cannot hold', async () => {
      expect(await refusal(() => book({ price: '100000000.00' }))).toMatchObject({ kind: 'value' })
      expect(await store('Book').count(everything, everything)).toBe(0)
    })

    it('a stored value that its field cannot hold, its record named in the cause', async () => {
      const { id } = await book()
      const { statement, field } = connected().spoil
      await connected().execute(statement)
      const read = () => store('Book').read([id], everything)
      expect(await refusal(read)).toEqual({ kind: 'unrepresentable', fields: [field], models: [] })
      const { cause } = (await errorOf(read)) as SourceError
      expect(String(cause)).toMatch(naming('Book', String(id), field))
      const page = { filter: everything, order: [], limit: 9, offset: 0 }
      expect(await refusal(() => store('Book').list(page, everything))).toMatchObject({ fields: [field] })
    })

    it('a refused write leaves nothing behind, and the next one works', async () => {
      const { id, authorId } = await book()
      await refusal(() => book({ authorId, categoryId: 0 }))
      await refusal(() => store('Book').update([id], { title: 'x', categoryId: 0 }, everything))
      expect(await store('Book').count(everything, everything)).toBe(1)
      expect(await store('Book').update([id], { title: 'y' }, everything)).toMatchObject({ title: 'y' })
    })
  })
}
