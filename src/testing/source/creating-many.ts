import { randomUUID } from 'node:crypto'
import { everything, type Row } from '../../entry/source.ts'
import { matches, same } from '../suite/assertions.ts'
import { equal, holdsValues, ownOf, printed } from './forms.ts'
import { inherited } from './library.ts'
import { hardValues } from './samples.ts'
import { numberedKey, recordKey, type Stage } from './stage.ts'
import { createTogether, many, stepsIn, testingMany } from './steps.ts'

/** Asserts that `createMany`, if a source has it, stores what `create` would store of each record, in a transaction. */
export const createsMany = (stage: Stage): void => {
  const { runner, can, model, store, has, book, newBook, part } = stage
  const inTransaction = stepsIn(stage)

  const createMany = createTogether(stage)
  /** Creates records, and asserts that they have their values, and that they can be read. */
  const createAll = async (name: string, values: readonly Row[], wrong: string): Promise<readonly Row[]> => {
    const rows = await createMany(name, values)
    same(rows.length, values.length, 'createMany must return one record for each that it was given.')
    for (const [at, given] of values.entries()) holdsValues(rows[at], withoutUndefined(given), wrong)
    for (const row of rows)
      equal(await store(name).read(recordKey(model(name), row), everything), row, asRead)
    return rows
  }
  const test = testingMany(stage)

  runner.describe('createMany', () => {
    test('returns the records as stored, in their order', ['Author'], async () => {
      const values = ['c', 'a', 'd', 'b'].map((name) => ({ name }))
      const rows = await createAll('Author', values, inOrder)
      same(await store('Author').count(everything, everything), 4, 'createMany must store all records.')
      const names = model('Author').fields.map(({ name }) => name)
      same(Object.keys(rows[3] ?? {}), names, 'The records must have the fields of the model, in its order.')
    })

    test('of no records does not store any', ['Author'], async () => {
      same(await createMany('Author', []), [], 'Without values, createMany must return an empty list.')
      same(await store('Author').count(everything, everything), 0, 'It must not store an empty record.')
    })

    test('returns a promise, or its result if the source is synchronous', ['Author'], async () => {
      let result: unknown
      await inTransaction((session, before) => {
        result = many(model('Author'), [{ name: 'x' }])(session, before)
        return result
      })
      same(result instanceof Promise, !can('synchronous'), 'createMany must return what create returns.')
    })

    test('stores records with different fields', ['Author'], async () => {
      const email = has('Author.email') ? { email: 'c@example.com' } : {}
      const values = [
        { name: 'a' },
        { name: 'b', bio: 'x' },
        { ...email, name: 'c', bio: undefined },
        { bio: 'y', name: 'd' },
        { name: 'e', bio: null },
      ]
      const rows = await createAll('Author', values, ownValues)
      same(
        rows.map(({ bio }) => bio),
        [null, 'x', null, 'y', null],
        ownValues,
      )
    })

    test('fills in defaults of each record', ['Book'], async () => {
      const { authorId } = await book()
      const given = [{}, { inStock: false }, { discount: '1.0000' }, { genre: 'poetry', rating: 2 }, {}]
      const rows = await createMany(
        'Book',
        given.map((values) => newBook({ ...values, authorId })),
      )
      const defaults = { discount: '0.0500', inStock: true, genre: 'novel', rating: null, titleLength: 7 }
      for (const [at, values] of given.entries())
        holdsValues(rows[at], part({ ...defaults, ...values }), 'createMany must fill in defaults.')
      for (const { id } of rows) matches(id, /^[0-9a-f-]{36}$/, generated)
      same(new Set(rows.map(({ id }) => id)).size, given.length, generated)
      for (const row of rows) equal(await store('Book').read([row['id']], everything), row, asRead)
    })

    test('stores records with and without their key', ['Book', 'Author'], async () => {
      const { authorId } = await book()
      const ids = [undefined, randomUUID(), undefined, randomUUID()]
      await createAll(
        'Book',
        ids.map((id) => newBook({ id, authorId })),
        ownValues,
      )
      if (model('Author').fields.some(({ name, generated: isGenerated }) => name === 'id' && isGenerated))
        return
      const id = numberedKey(model('Author'), 1_000_000)
      await createAll('Author', [{ name: 'a' }, { name: 'b', id }, { name: 'c' }], ownValues)
    })

    test(
      'stores records whose key is text',
      ['Shelf'],
      async () => {
        // A database that ignores case has one of `b` and `B`.
        const code = can('exactText') ? 'B' : 'c'
        const values = [{ code: 'b' }, { code, floor: 2 }, { code: 'a,b/c %' }, { code: 'a', floor: 0 }]
        const rows = await createAll('Shelf', values, inOrder)
        same(
          rows.map(({ floor }) => floor),
          [0, 2, 0, 0],
          'createMany must fill in defaults.',
        )
      },
      ['Shelf.floor', 'exactKeys'],
    )

    test(
      'stores records whose key has two fields',
      ['Review'],
      async () => {
        const { id } = await book()
        const reviewers = ['c', 'a', `O'Brien, (A)=(B)`, 'b']
        const values = reviewers.map((reviewer, at) => ({ bookId: id, reviewer, stars: at + 1 }))
        await createAll('Review', values, inOrder)
      },
      ['Book'],
    )

    test('does not take inherited members for values', ['Oddity'], async () => {
      const known = inherited.filter((name) => has(`Oddity.${name}`))
      const full = Object.fromEntries(known.map((name) => [name, 'set']))
      const rows = await createMany('Oddity', [{ name: 'x', ...full }, { name: 'y' }])
      const wrong = 'Read values only with Object.hasOwn: row.constructor is never undefined.'
      for (const name of known)
        same(
          rows.map((row) => ownOf(row, name)),
          ['set', null],
          wrong,
        )
    })

    test('stores every value', ['Book'], async () => {
      const { authorId } = await book()
      const values = Object.keys(hardValues).flatMap((field) =>
        has(`Book.${field}`)
          ? stage.hard(field).map((value) => ({ field, values: newBook({ authorId, [field]: value }) }))
          : [],
      )
      const rows = await createMany(
        'Book',
        values.map((each) => each.values),
      )
      for (const [at, { field, values: given }] of values.entries()) {
        const [row = {}, value] = [rows[at], ownOf(given, field)]
        equal(ownOf(row, field), value, `${field} must keep ${printed(value)}.`)
        const read = await store('Book').read([row['id']], everything)
        equal(ownOf(read ?? {}, field), value, `${field} must keep ${printed(value)}.`)
      }
    })
  })
}

export const inOrder = 'createMany must return the records in the order of their values.'
const asRead = 'createMany must return what read returns.'
const ownValues = 'Each record must have its own values, whatever the others have.'
export const generated = 'createMany must return the generated keys.'

const withoutUndefined = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined))
