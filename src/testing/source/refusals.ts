import { randomUUID } from 'node:crypto'
import { everything, type Row } from '../../entry/source.ts'
import { names, same } from '../suite/assertions.ts'
import { holdsValues } from './forms.ts'
import { byId, numberedKey, refusal, type Stage } from './stage.ts'

/** Asserts the kinds of errors, and the fields and models that they name. */
export const refusals = (stage: Stage): void => {
  const { runner, test, opened, model, store, author, book, part } = stage
  const noAuthor = () => numberedKey(model('Author'), 0)
  const change = (id: unknown, values: Row) => () => store('Book').update([id], values, everything)

  runner.describe('refusals', () => {
    test('unique: a value that another record has', ['Book', 'refuses unique'], async () => {
      const { isbn } = await book()
      const taken = { kind: 'unique', fields: ['isbn'], models: [] } as const
      await refusal(() => book({ isbn }), taken)
      const other = await book()
      await refusal(change(other['id'], { isbn }), taken)
      await refusal(() => book({ id: other['id'] }), { kind: 'unique', fields: ['id'] })
      if (!stage.has('Author.email')) return
      await store('Author').create({ name: 'x', email: 'x@example.com' })
      const again = () => store('Author').create({ name: 'y', email: 'x@example.com' })
      await refusal(again, { kind: 'unique', fields: ['email'] })
    })

    test('unique: a key of two fields', ['Review', 'Book', 'refuses unique'], async () => {
      const { id } = await book()
      const review = { bookId: id, reviewer: `O'Brien, (A)=(B)`, stars: 1 }
      await store('Review').create(review)
      const fields = ['bookId', 'reviewer']
      await refusal(() => store('Review').create(review), { kind: 'unique', fields, models: [] })
    })

    test('missing-reference: a foreign key without its record', missing('Book.author'), async () => {
      const { id, authorId } = await book()
      const none = noAuthor()
      const expected = { kind: 'missing-reference', models: [] } as const
      await refusal(() => book({ authorId: none }), { ...expected, fields: ['authorId'] })
      await refusal(change(id, { authorId: none }), { ...expected, fields: ['authorId'] })
      if (!stage.has('Book.translator')) return
      await refusal(() => book({ authorId, translatorId: none }), { ...expected, fields: ['translatorId'] })
    })

    test('missing-reference: names every broken foreign key', missing('Book.category'), async () => {
      const { id, authorId } = await book()
      const [none, expected] = [noAuthor(), { kind: 'missing-reference', models: [] } as const]
      const two = { authorId, categoryId: none, translatorId: none }
      await refusal(() => book(two), { ...expected, fields: ['translatorId', 'categoryId'] })
      const one = { categoryId: none, translatorId: null, authorId }
      await refusal(() => book(one), { ...expected, fields: ['categoryId'] })
      await refusal(change(id, { categoryId: none }), { ...expected, fields: ['categoryId'] })
    })

    test('missing-reference: a key that is a foreign key', missing('Review.book'), async () => {
      const create = () => store('Review').create({ bookId: randomUUID(), reviewer: 'x', stars: 1 })
      await refusal(create, { kind: 'missing-reference', fields: ['bookId'], models: [] })
    })

    test('still-referenced: a record that others refer to', held('Book.author'), async () => {
      const { authorId } = await book()
      const expected = { kind: 'still-referenced', fields: ['authorId'], models: ['Book'] } as const
      await refusal(() => store('Author').remove([authorId], everything), expected)
      await refusal(() => store('Author').take([authorId], everything), expected)
      await refusal(() => store('Author').update([authorId], { id: 4711 }, everything), expected)
      if (!stage.has('Book.translator')) return
      const translator = await author()
      await book({ authorId, translatorId: translator['id'] })
      const remove = () => store('Author').remove([translator['id']], everything)
      await refusal(remove, { ...expected, fields: ['translatorId'] })
    })

    test('still-referenced: by a key that is a foreign key', held('Review.book'), async () => {
      const { id } = await book()
      await store('Review').create({ bookId: id, reviewer: 'x', stars: 1 })
      const expected = { kind: 'still-referenced', fields: ['bookId'], models: ['Review'] } as const
      await refusal(() => store('Book').remove([id], everything), expected)
    })

    test(
      'still-referenced: by its own model and another one',
      held('Category.parent', 'Book.category'),
      async () => {
        const { id } = await store('Category').create({ name: 'a' })
        await store('Category').create({ name: 'b', parentId: id })
        await book({ categoryId: id })
        const expected = { fields: ['parentId', 'categoryId'], models: ['Category', 'Book'] }
        const remove = () => store('Category').remove([id], everything)
        await refusal(remove, { kind: 'still-referenced', ...expected })
      },
    )

    test('not-null: null or no value for a required field', ['Book', 'refuses not-null'], async () => {
      const expected = { kind: 'not-null', fields: ['title'], models: [] } as const
      await refusal(() => book({ title: null }), expected)
      await refusal(() => book({ title: undefined }), expected)
      const { id } = await book()
      await refusal(change(id, { title: null }), expected)
    })

    test('check: a value that a check refuses', ['Review', 'Book', 'refuses check'], async () => {
      const { id } = await book()
      const create = () => store('Review').create({ bookId: id, reviewer: 'x', stars: 9 })
      await refusal(create, { kind: 'check', fields: ['stars'], models: [] })
    })

    test(
      'value: a number with more digits than the column has',
      ['Book.price', 'refuses value'],
      async () => {
        await refusal(() => book({ price: '100000000.00' }), { kind: 'value' })
        same(await store('Book').count(everything, everything), 0, 'A refused record must not be stored.')
      },
    )

    test('unrepresentable: a stored value that its field cannot hold', ['breakValue', 'Book'], async () => {
      const { id } = await book()
      const field = (await opened().breakValue?.()) ?? ''
      const expected = { kind: 'unrepresentable', fields: [field], models: [] } as const
      const error = await refusal(() => store('Book').read([id], everything), expected)
      names(error.cause, ['Book', String(id), field], 'The cause must name the model, key and field.')
      const page = { filter: everything, order: byId, limit: 9, offset: 0 }
      await refusal(() => store('Book').list(page, everything), expected)
    })

    test('a refused write changes nothing, and the next one succeeds', held('Book.category'), async () => {
      const { id, authorId } = await book()
      const none = noAuthor()
      await refusal(() => book({ authorId, categoryId: none }), { kind: 'missing-reference' })
      await refusal(change(id, { title: 'x', categoryId: none }), { kind: 'missing-reference' })
      const wrong = 'A refused write must not be stored, nor break the connection.'
      same(await store('Book').count(everything, everything), 1, wrong)
      holdsValues(await store('Book').read([id], everything), part({ title: 'Solaris' }), wrong)
      const next = await store('Book').update([id], { title: 'y' }, everything)
      holdsValues(next, { title: 'y' }, wrong)
    })
  })
}

const missing = (...needs: readonly string[]) => ['Book', ...needs, 'refuses missing-reference']
const held = (...needs: readonly string[]) => ['Book', ...needs, 'refuses still-referenced']
