import { type Condition, constantDefault, DEFAULT, everything, type Order } from '../../entry/source.ts'
import { matches, same } from '../suite/assertions.ts'
import { equal, holdsValues, ownOf, sampleIn } from './forms.ts'
import { byId, errorOf, recordKey, type Stage } from './stage.ts'

/** Defaults of `Shelf` whose JSON is not their usual form. */
const defaults = { capacity: 9007199254740993n, builtAt: new Date('2026-01-31T23:59:59.123Z') }
const page = { filter: everything, order: byId, limit: 100, offset: 0 }

/** Asserts what each method does with records that exist, and with those that do not. */
export const acts = ({ runner, test, store, model, author, book, part }: Stage): void => {
  runner.describe('methods', () => {
    test('create returns the record as stored, with its defaults', ['Book'], async () => {
      const row = await book()
      const defaults = { discount: '0.0500', inStock: true, genre: 'novel', rating: null, titleLength: 7 }
      holdsValues(row, part({ title: 'Solaris', ...defaults }), 'create must return the stored record.')
      matches(row['id'], /^[0-9a-f-]{36}$/, 'create must return the generated key.')
      equal(await store('Book').read([row['id']], everything), row, 'create must return what read returns.')
    })

    test('records have exactly the fields of the model, in its order', ['Book'], async () => {
      const names = model('Book').fields.map(({ name }) => name)
      const row = await book()
      same(Object.keys(row), names, 'The record that create returns must have the fields of the model.')
      const [listed = {}] = await store('Book').list(page, everything)
      same(Object.keys(listed), names, 'A listed record must have the fields of the model.')
      equal(listed, row, 'list must return what create returned.')
    })

    test('create accepts a record that omits all fields with a default', ['Shelf.floor'], async () => {
      const created = await store('Shelf').create({ code: 'a,b/c %' })
      holdsValues(created, { code: 'a,b/c %', floor: 0 }, 'create must fill in defaults.')
      equal(await store('Shelf').read(['a,b/c %'], everything), created, 'read must find any text as a key.')
    })

    for (const [name, value] of Object.entries(defaults))
      test(`the default of ${name} has the form of its field`, [`Shelf.${name}`], async () => {
        const shelf = await store('Shelf').create({ code: 'a' })
        const [field] = model('Shelf').fields.filter((known) => known.name === name)
        if (field === undefined) return
        const wrong = `create must return the default of ${name} in the form ${field.form}, not as JSON.`
        equal(ownOf(shelf, name), sampleIn(field, value), wrong)
        equal(ownOf(shelf, name), constantDefault(field), wrong)
      })

    test('read finds a record by all fields of its key', ['Review', 'exactText'], async () => {
      const { id } = await book()
      await store('Review').create({ bookId: id, reviewer: 'Ann', stars: 5 })
      await store('Review').create({ bookId: id, reviewer: 'ann', stars: 1 })
      const found = await store('Review').read([id, 'Ann'], everything)
      holdsValues(found, { stars: 5, note: null }, 'read must compare all fields of the key exactly.')
      same(await store('Review').read([id, 'Bea'], everything), undefined, 'No record has this key.')
    })

    test('read, update, remove and take say that no record has a key', [], async () => {
      const authors = store('Author')
      const { id } = await author()
      await authors.remove([id], everything)
      const wrong = 'Without a record, read, update and take return undefined, and remove returns false.'
      same(await authors.read([id], everything), undefined, wrong)
      same(await authors.update([id], { name: 'x' }, everything), undefined, wrong)
      same(await authors.update([id], {}, everything), undefined, wrong)
      same(await authors.remove([id], everything), false, wrong)
      same(await authors.take([id], everything), undefined, wrong)
    })

    test('update changes only the given fields of one record', ['Book'], async () => {
      const [row, other] = [await book({ rating: 1 }), await book()]
      const key = recordKey(model('Book'), row)
      const changes = part({ title: 'Eden', rating: null })
      const changed = await store('Book').update(key, changes, everything)
      const wrong = 'update must change the given fields and return the record as stored.'
      equal(changed, { ...row, ...changes, ...part({ titleLength: 4 }) }, wrong)
      equal(await store('Book').read(key, everything), changed, wrong)
      const untouched = await store('Book').read(recordKey(model('Book'), other), everything)
      equal(untouched, other, 'update must not change another record.')
    })

    test('an update that changes nothing returns the record', ['Book'], async () => {
      const row = await book()
      const wrong = 'update must return the matching record, although no value changes.'
      for (const values of [{}, { title: undefined }, { title: row['title'] }, part({ pages: 204 })])
        equal(await store('Book').update([row['id']], values, everything), row, wrong)
    })

    test('update sets a field to its default', ['Book', 'databaseDefaults'], async () => {
      const given = part({ discount: '1.0000', inStock: false, genre: 'poetry' })
      const { id } = await book({ ...given, rating: 2 })
      const values = Object.fromEntries(Object.keys(given).map((name) => [name, DEFAULT]))
      const expected = part({ discount: '0.0500', inStock: true, genre: 'novel', rating: 2 })
      const updated = await store('Book').update([id], values, everything)
      holdsValues(updated, expected, 'DEFAULT must set a field to its default.')
    })

    test('update refuses DEFAULT', ['no databaseDefaults'], async () => {
      const row = await author({ bio: 'x' })
      await errorOf(() => store('Author').update([row['id']], { bio: DEFAULT }, everything))
      const wrong = 'A source without databaseDefaults must not change the record.'
      equal(await store('Author').read([row['id']], everything), row, wrong)
    })

    test('remove deletes one record, once', [], async () => {
      const [first, second] = [await author(), await author()]
      const wrong = 'remove must delete the record and return true, and false if there is none.'
      same(await store('Author').remove([first['id']], everything), true, wrong)
      same(await store('Author').remove([first['id']], everything), false, wrong)
      equal(await store('Author').list(page, everything), [second], 'remove must delete only one record.')
    })

    test('a key of text is found only by its own bytes', ['Shelf', 'exactKeys'], async () => {
      await store('Shelf').create({ code: 'lamp' })
      const wrong = 'A key must be compared byte for byte, also where the collation of the database does not.'
      for (const other of ['LAMP', 'lamp ', 'lämp']) {
        same(await store('Shelf').read([other], everything), undefined, wrong)
        same(await store('Shelf').update([other], { floor: 3 }, everything), undefined, wrong)
        same(await store('Shelf').remove([other], everything), false, wrong)
        same(await store('Shelf').take([other], everything), undefined, wrong)
      }
      same((await store('Shelf').update(['lamp'], { floor: 2 }, everything))?.['floor'], 2, wrong)
      same(await store('Shelf').remove(['lamp'], everything), true, wrong)
    })

    test('take deletes a record and returns it as it was, once', [], async () => {
      const a = await author()
      const wrong = 'take must return the record that it deletes, and undefined if there is none.'
      equal(await store('Author').take([a['id']], everything), a, wrong)
      same(await store('Author').take([a['id']], everything), undefined, wrong)
    })

    test('list returns pages in order', [], async () => {
      for (const name of ['c', 'a', 'd', 'b']) await author({ name })
      const order: readonly Order[] = [{ field: 'name', direction: 'desc' }, ...byId]
      const names = async (limit: number, offset: number) => {
        const rows = await store('Author').list({ filter: everything, order, limit, offset }, everything)
        return rows.map((row) => row['name']).join('')
      }
      const wrong = 'list must skip offset records in the order, and return at most limit.'
      same(await names(2, 0), 'dc', wrong)
      same(await names(2, 1), 'cb', wrong)
      same(await names(9, 3), 'a', wrong)
      same(await names(2, 4), '', wrong)
      same(await names(2, Number.MAX_SAFE_INTEGER), '', wrong)
      const filter: Condition = { op: 'lt', field: 'name', value: 'c' }
      same(await store('Author').count(everything, everything), 4, 'count must count all pages.')
      same(await store('Author').count(filter, everything), 2, 'count must apply the filter.')
      same((await store('Author').list({ ...page, filter }, everything)).length, 2, wrong)
    })

    test('list, count and read work on a view', ['CheapBook', 'Book'], async () => {
      const { id } = await book({ price: '9.99' })
      await book({ price: '10.00' })
      const expected = { id, ...part({ title: 'Solaris', price: '9.99', rating: null }) }
      const wrong = 'The view must show the books that are cheaper than 10.00.'
      equal(await store('CheapBook').list(page, everything), [expected], wrong)
      same(await store('CheapBook').count(everything, everything), 1, wrong)
      equal(await store('CheapBook').read([id], everything), expected, wrong)
    })

    test('a write with an unknown field throws, and names the field', [], async () => {
      const wrong = 'Values with an unknown field must not be ignored.'
      matches(await errorOf(() => author({ nope: 1 })), /nope/, wrong)
      const row = await author()
      const update = () => store('Author').update([row['id']], { nope: 1 }, everything)
      matches(await errorOf(update), /nope/, wrong)
      equal(await store('Author').read([row['id']], everything), row, 'A refused update changes nothing.')
    })
  })
}
