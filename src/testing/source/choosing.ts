import { everything, type Order, type Row } from '../../entry/source.ts'
import { matches, names, same } from '../suite/assertions.ts'
import { fastCheck } from '../suite/fast-check.ts'
import { equal } from './forms.ts'
import { byId, errorOf, is, refusal, type Stage } from './stage.ts'

const byPrice: readonly Order[] = [{ field: 'price', direction: 'desc' }, ...byId]
const page = { filter: everything, order: byPrice, limit: 99, offset: 0 }

const only = (fields: readonly string[], row: Row): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => fields.includes(name)))

/** Asserts that lists read the fields of their selection. */
export const choosing = (stage: Stage): void => {
  const { runner, test, exhaustive, opened, store, model, author, book, hard, part } = stage
  runner.describe('selected fields', () => {
    exhaustive(
      'list returns exactly the selected fields, in the order of the model',
      ['Book.price'],
      async () => {
        const known = new Set(model('Book').fields.map(({ name }) => name))
        for (const name of known) for (const value of hard(name).slice(0, 3)) await book({ [name]: value })
        const whole = await store('Book').list(page, everything)
        same(whole.length >= 5, true, 'list must return the stored records.')
        const fc = await fastCheck()
        await fc.assert(
          fc.asyncProperty(fc.shuffledSubarray([...known]), async (some) => {
            const fields = some.includes('id') ? some : [...some, 'id']
            const found = await store('Book').list({ ...page, fields }, everything)
            const wrong = `list must return the fields ${fields.join()} and no other.`
            equal(
              found,
              whole.map((row) => only(fields, row)),
              wrong,
            )
            same(
              Object.keys(found[0] ?? {}),
              [...known].filter((name) => fields.includes(name)),
              wrong,
            )
          }),
          { numRuns: 60 },
        )
      },
    )

    test('list can filter, guard and sort by fields that it does not return', ['Book.price'], async () => {
      const [, b] = [await book({ pages: 1 }), await book({ pages: 2 }), await book({ pages: 3 })]
      const filter = { op: 'lt', field: 'pages', value: 3 } as const
      const found = await store('Book').list({ ...page, fields: ['id'], filter }, is('isbn', b['isbn']))
      equal(found, [{ id: b['id'] }], 'Conditions and order may use fields that are not selected.')
    })

    test('list returns selected fields of a key of two fields', ['Review', 'Book'], async () => {
      const { id } = await book({ price: '1.00' })
      await store('Review').create({ bookId: id, reviewer: 'Ann', stars: 5 })
      const selection = { ...page, order: [], fields: ['stars', 'reviewer', 'bookId'] }
      const found = await store('Review').list(selection, everything)
      equal(found, [{ bookId: id, reviewer: 'Ann', stars: 5 }], 'All selected fields must be returned.')
    })

    test('list returns selected fields of a view', ['CheapBook', 'Book'], async () => {
      const { id } = await book({ price: '1.00' })
      const found = await store('CheapBook').list({ ...page, fields: ['id', 'price'] }, everything)
      equal(found, [{ id, ...part({ price: '1.00' }) }], 'All selected fields must be returned.')
    })

    test(
      'a list without the field of an unrepresentable value succeeds',
      ['breakValue', 'Book'],
      async () => {
        const { id } = await book()
        const field = (await opened().breakValue?.()) ?? ''
        const chosen = (fields: readonly string[]) => store('Book').list({ ...page, fields }, everything)
        const wrong = 'Only the selected fields may be decoded.'
        equal(await chosen(['id', 'title']), [{ id, title: 'Solaris' }], wrong)
        const error = await refusal(() => chosen(['id', field]), { kind: 'unrepresentable', fields: [field] })
        names(error.cause, ['Book', String(id), field], 'The cause must name the model, key and field.')
      },
    )

    test(
      'list passes the sizes of its rows to admits, and returns no rows if it refuses',
      ['Book'],
      async () => {
        const title = 'é'.repeat(90)
        for (const times of [1, 2, 1]) await book({ title: title.repeat(times), pages: times })
        const order: readonly Order[] = [{ field: 'pages', direction: 'asc' }, ...byId]
        const asked: (readonly number[])[] = []
        const list = (wanted: boolean, limit = 9) =>
          store('Book').list({ ...page, order, fields: ['id', 'title'], limit }, everything, (sizes) => {
            asked.push(sizes)
            return wanted
          })
        same((await list(true)).length, 3, 'list must return the rows if admits returns true.')
        same((await list(true, 1)).length, 1, 'list must return the rows if admits returns true.')
        if (asked.length === 0) return
        const [all = [], one] = asked
        same(all.length, 3, 'admits must receive one size for each row.')
        same(Math.min(...all) >= 90, true, 'The size of a row is at least that of its strings.')
        same((all[2] ?? 0) >= 180, true, 'The size of a row is at least that of its strings.')
        same(one, [all[0]], 'admits must receive the sizes of the rows of the page only.')
        same(await list(false), [], 'list must return no rows if admits returns false.')
        // Sources may ask for the sizes first if there may be many records.
        same(await list(false, 1000), [], 'list must return no rows if admits returns false.')
        const whole = await store('Book').list({ ...page, limit: 1000 }, everything, async () => true)
        same(whole.length, 3, 'list must return the rows if admits returns true.')
      },
    )

    test('list decodes nothing if admits refuses', ['breakValue', 'Book'], async () => {
      await book()
      const field = (await opened().breakValue?.()) ?? ''
      let isAsked = false
      const list = () =>
        store('Book').list({ ...page, fields: ['id', field] }, everything, () => {
          isAsked = true
          return false
        })
      let found: readonly Row[] = []
      try {
        found = await list()
      } catch (error) {
        if (isAsked) throw error
      }
      same(found, [], 'No row may be decoded if admits returns false.')
    })

    test('a list of an unknown field throws, and names the field', [], async () => {
      await author()
      const act = () => store('Author').list({ ...page, order: byId, fields: ['id', 'nope'] }, everything)
      matches(
        await errorOf(act),
        /nope/,
        'A selected field that the model does not have must not be ignored.',
      )
    })
  })
}
