import { describe, expect, it } from 'vitest'
import { everything } from '../../../src/query/ast.ts'
import { type Awaitable, SourceError } from '../../../src/source/source.ts'
import { naming } from '../../naming.ts'
import { type Connect, errorOf, type Stage } from './stage.ts'

const refusal = async (act: () => Awaitable<unknown>): Promise<SourceError> => {
  const error = await errorOf(act)
  expect(error).toBeInstanceOf(SourceError)
  return error as SourceError
}

/** The error of the driver is the cause of every refusal, and the message has only names of the model. */
export const causes = ({ connected, store, book }: Stage): void => {
  describe('refusals', () => {
    it('have the error of the driver as their cause', async () => {
      const { id, isbn, authorId } = await book()
      const acts = [
        () => book({ isbn }),
        () => book({ authorId: 0 }),
        () => book({ authorId, categoryId: 0, translatorId: 0 }),
        () => book({ title: null }),
        () => book({ price: '100000000.00' }),
        () => store('Author').remove([authorId], everything),
        () => store('Review').create({ bookId: id, reviewer: 'x', stars: 9 }),
      ]
      for (const act of acts) {
        const { kind, fields, models, cause, message } = await refusal(act)
        expect(cause).toBeDefined()
        expect(message).toBe(`${kind}: ${[...fields, ...models].join(', ')}`)
      }
    })

    it('of a stored value name its record', async () => {
      const { id } = await book()
      const { statement, field } = connected().spoil
      await connected().execute(statement)
      const { cause } = await refusal(() => store('Book').read([id], everything))
      expect(cause).toMatchObject({ message: expect.stringMatching(naming('Book', String(id), field)) })
    })
  })

  describe('the handle of a transaction', () => {
    it('is that of drizzle, and says what to use after its end', async () => {
      const { source } = connected()
      if (!source.capabilities.transactions) return
      let handle: unknown
      await source.transaction(({ db }) => {
        handle = db
        expect(Reflect.get(db as object, 'insert')).toBeTypeOf('function')
        return undefined as never
      })
      expect(() => Reflect.get(handle as object, 'insert')).toThrow(naming('context.db'))
    })
  })
}

/** The names of missing tables and columns are those of the database. */
export const missing = (connect: Connect): void => {
  it('says which tables, views and columns are missing, by their names in the database', async () => {
    const { source, execute, close } = await connect()
    await execute('drop view cheap_books; drop table replies')
    const tables = [
      { model: 'Reply', table: 'replies' },
      { model: 'CheapBook', table: 'cheap_books' },
    ]
    expect(await source.missing?.(source.models)).toMatchObject(tables)
    await execute('alter table authors drop column bio')
    const columns = [{ model: 'Author', table: 'authors', columns: ['bio'] }]
    expect(await source.missing?.(source.models)).toMatchObject([...columns, ...tables])
    expect(await source.missing?.(source.models.filter(({ name }) => name === 'Book'))).toEqual([])
    await close()
  })
}
