import { type Condition, everything, type Row } from '../../entry/source.ts'
import { same } from '../suite/assertions.ts'
import { equal } from './forms.ts'
import { watched } from './observing.ts'
import { byId, is, not, type Stage } from './stage.ts'

const needs = ['relations', 'Book.author', 'Author.id'] as const
const page = { filter: everything, order: byId, limit: 100, offset: 0 }
const above = (field: string, value: unknown): Condition => ({ op: 'gt', field, value })
const both = (...conditions: readonly Condition[]): Condition => ({ op: 'and', conditions })

/** Asserts conditions over to-many relations, lists and numbers of related records, and sort keys behind relations. */
export const relations = (stage: Stage): void => {
  const { runner, test, source, store, model, author, book, part } = stage

  /** The name of the other side of a to-one relation. */
  const manyOf = (owner: string, toOne: string): string => {
    const relation = model(owner).relations.find(({ name }) => name === toOne)
    return relation?.inverse ?? ''
  }
  /** The name of the relation through a join table. */
  const throughOf = (from: string, to: string): string =>
    model(from).relations.find((known) => known.through !== undefined && known.model === to)?.name ?? ''

  const some = (relation: string, condition: Condition, link?: Condition): Condition => ({
    ...{ op: 'related', relation, condition },
    ...(link && { link }),
  })
  const names = (rows: readonly Row[], field = 'name'): string =>
    rows
      .map((row) => String(row[field]))
      .toSorted()
      .join()
  const listed = async (name: string, filter: Condition): Promise<readonly Row[]> => {
    const order = model(name).primaryKey.map((field) => ({ field, direction: 'asc' }) as const)
    return store(name).list({ ...page, order, filter }, everything)
  }

  /** Three authors: with two books, with one, and without any. */
  const library = async () => {
    const [two, one, none] = [
      await author({ name: 'two' }),
      await author({ name: 'one' }),
      await author({ name: 'none' }),
    ]
    const cheap = await book({ authorId: two['id'], title: 'cheap', price: '5.00', pages: 100 })
    const dear = await book({ authorId: two['id'], title: 'dear', price: '50.00', pages: 200 })
    const other = await book({ authorId: one['id'], title: 'other', price: '50.00', pages: 100 })
    return { two, one, none, cheap, dear, other }
  }

  runner.describe('related records', () => {
    test('related over a to-many relation means at least one, and its negation none', needs, async () => {
      await library()
      const books = manyOf('Book', 'author')
      const found = async (condition: Condition) => names(await listed('Author', condition))
      const price = part({ price: '10.00' })['price']
      const wrong = 'A condition over a to-many relation holds if at least one related record meets it.'
      same(await found(some(books, above('price', price))), 'one,two', wrong)
      same(await found(not(some(books, above('price', price)))), 'none', wrong)
      same(await found(some(books, not(above('price', price)))), 'two', wrong)
      same(await found(some(books, everything)), 'one,two', wrong)
      same(await found(not(some(books, everything))), 'none', wrong)
      const inOne = 'All parts of a condition on a relation are about one and the same related record.'
      same(await found(some(books, both(above('price', price), is('pages', 100)))), 'one', inOne)
      same(
        await found(both(some(books, above('price', price)), some(books, is('pages', 100)))),
        'one,two',
        inOne,
      )
      const nested = 'Conditions on related records may contain conditions on their related records.'
      same(await found(some(books, some('author', is('name', 'two')))), 'two', nested)
      same(await found(some(books, some('author', not(some(books, is('title', 'dear')))))), 'one', nested)
    })

    test('related over a to-many relation guards reads and writes', needs, async () => {
      const { two, none } = await library()
      const guard = some(manyOf('Book', 'author'), everything)
      const wrong = 'A guard over a to-many relation must hold for the record that is read or changed.'
      equal(await store('Author').read([none['id']], guard), undefined, wrong)
      equal(await store('Author').update([none['id']], { bio: 'x' }, guard), undefined, wrong)
      same(await store('Author').remove([none['id']], guard), false, wrong)
      equal((await store('Author').update([two['id']], { bio: 'x' }, guard))?.['bio'], 'x', wrong)
    })

    test(
      'related reaches the other side of a table that is related to itself',
      ['relations', 'Category.parent'],
      async () => {
        const categories = store('Category')
        const top = await categories.create({ name: 'top' })
        const middle = await categories.create({ name: 'middle', parentId: top['id'] })
        await categories.create({ name: 'low', parentId: middle['id'] })
        const children = manyOf('Category', 'parent')
        const found = async (condition: Condition) => names(await listed('Category', condition))
        const wrong = 'A table that is related to itself is another one in each condition on related records.'
        same(await found(some(children, is('name', 'low'))), 'middle', wrong)
        same(await found(some(children, some(children, everything))), 'top', wrong)
        same(await found(not(some(children, everything))), 'low', wrong)
        same(await found(some(children, some('parent', is('name', 'top')))), 'top', wrong)
        const guard = some(children, some(children, everything))
        same((await categories.update([top['id']], { name: 'x' }, guard))?.['name'], 'x', wrong)
        equal(await categories.update([middle['id']], { name: 'x' }, guard), undefined, wrong)
      },
    )

    test(
      'related through a join table asks its record too',
      ['relations', 'Placement', 'Shelf', 'Book.author'],
      async () => {
        const { cheap, dear, other } = await library()
        for (const code of ['a', 'b']) await store('Shelf').create({ code })
        const place = (bookId: unknown, shelfCode: string, copies: number | null) =>
          store('Placement').create({ bookId, shelfCode, copies })
        await place(cheap['id'], 'a', 1)
        await place(cheap['id'], 'b', 5)
        await place(dear['id'], 'b', null)
        const shelves = throughOf('Book', 'Shelf')
        const found = async (condition: Condition) => names(await listed('Book', condition), 'title')
        const wrong = 'With a link, one record of the join table meets it and leads to the related record.'
        same(await found(some(shelves, everything)), 'cheap,dear', wrong)
        same(await found(not(some(shelves, everything))), 'other', wrong)
        same(await found(some(shelves, is('code', 'a'))), 'cheap', wrong)
        same(await found(some(shelves, is('code', 'b'), above('copies', 3))), 'cheap', wrong)
        same(await found(some(shelves, is('code', 'a'), above('copies', 3))), '', wrong)
        same(await found(not(some(shelves, everything, above('copies', 3)))), 'dear,other', wrong)

        const to = {
          relation: shelves,
          records: [[other['id']], [cheap['id']], [dear['id']]],
          guard: everything,
        }
        const order = [{ field: 'code', direction: 'desc' }] as const
        const lists = await store('Book').related?.(to, { ...page, order })
        const codes =
          'related must return each record at the end of a join table once, for each of the records.'
        equal(
          lists?.map((rows) => rows.map((row) => row['code'])),
          [[], ['b', 'a'], ['b']],
          codes,
        )
        const linked = { ...to, link: above('copies', 0) }
        const few = await store('Book').related?.(linked, { ...page, order, limit: 1 })
        equal(
          few?.map((rows) => rows.map((row) => row['code'])),
          [[], ['b'], []],
          codes,
        )
        equal(await store('Book').countRelated?.(linked, is('code', 'a')), [0, 1, 0], codes)
      },
    )

    test('lists of related records have their order, limit, filter and fields', needs, async () => {
      const { two, one, none, cheap } = await library()
      const relation = manyOf('Book', 'author')
      const records = [[none['id']], [two['id']], [one['id']]]
      const order = [{ field: 'price', direction: 'desc' }] as const
      const related = async (
        limit: number,
        filter: Condition = everything,
        guard: Condition = everything,
      ) => {
        const to = { relation, records, guard }
        const lists = await store('Author').related?.(to, { ...page, order, limit, filter })
        return lists?.map((rows) => rows.map((row) => row['title']))
      }
      const wrong =
        'related must return a list for each record, each in the order and with the limit of the selection.'
      equal(await related(100), [[], ['dear', 'cheap'], ['other']], wrong)
      equal(await related(1), [[], ['dear'], ['other']], wrong)
      equal(await related(100, is('pages', 100)), [[], ['cheap'], ['other']], wrong)
      equal(await related(100, everything, is('title', 'cheap')), [[], ['cheap'], []], wrong)
      equal(await related(1, is('pages', 100), is('title', 'cheap')), [[], ['cheap'], []], wrong)
      const to = { relation, records: [[two['id']]], guard: everything }
      const [rows] = (await store('Author').related?.(to, { ...page, order })) ?? []
      equal(rows?.[1], cheap, 'related must return records as list does.')
      const fields = ['id', 'title']
      const [short] = (await store('Author').related?.(to, { ...page, order, fields })) ?? []
      equal(short?.[1], { id: cheap['id'], title: 'cheap' }, 'related must return the selected fields.')
      equal(await store('Author').related?.({ ...to, records: [] }, page), [], 'No records have no lists.')
      const refused = await store('Author').related?.(to, page, () => false)
      if (refused?.flat().length !== 2) equal(refused, [[]], 'If admits returns false, all lists are empty.')
      const counted = 'countRelated must return a number for each record, in their order.'
      const every = { relation, records, guard: everything }
      equal(await store('Author').countRelated?.(every, everything), [0, 2, 1], counted)
      equal(await store('Author').countRelated?.(every, is('pages', 100)), [0, 1, 1], counted)
      equal(
        await store('Author').countRelated?.({ ...every, guard: is('pages', 200) }, everything),
        [0, 1, 0],
        counted,
      )
      equal(await store('Author').countRelated?.({ ...every, records: [] }, everything), [], counted)
    })

    test('lists and counts of all records take one statement each', [...needs, 'observed'], async () => {
      const { two, one, none } = await library()
      const { observed, statements } = watched(source())
      const [authors, books] = [observed.store(model('Author')), observed.store(model('Book'))]
      const many = {
        ...{ relation: manyOf('Book', 'author'), guard: everything },
        records: [[two['id']], [one['id']], [none['id']]],
      }
      await authors.related?.(many, { ...page, limit: 1 })
      await authors.countRelated?.(many, everything)
      await books.related?.({ ...many, relation: 'author' }, { ...page, limit: 1 })
      const own = statements.filter(({ begun }) => begun.model !== undefined)
      same(own.length, 3, 'related and countRelated must not ask once for each record.')
    })

    test('lists of a to-one relation have the record, or none', needs, async () => {
      const { two, one } = await library()
      const to = { relation: 'author', records: [[one['id']], [two['id']]], guard: everything }
      const wrong = 'related must return the record at the other end of a to-one relation.'
      equal(await store('Book').related?.(to, { ...page, limit: 1 }), [[one], [two]], wrong)
      const guarded = { ...to, guard: is('name', 'two') }
      equal(await store('Book').related?.(guarded, { ...page, limit: 1 }), [[], [two]], wrong)
    })

    test('relations over several fields compare all of them', ['relations', 'Reply.review'], async () => {
      const [first, second] = [await book(), await book()]
      for (const [of, reviewer] of [
        [first, 'Ann'],
        [first, 'Bob'],
        [second, 'Ann'],
      ] as const)
        await store('Review').create({ bookId: of['id'], reviewer, stars: 5 })
      const reply = (text: string, bookId: unknown, reviewer: string | null) =>
        store('Reply').create({ text, bookId, reviewer })
      await reply('a', first['id'], 'Ann')
      await reply('b', second['id'], 'Ann')
      await reply('c', first['id'], null)
      const replies = manyOf('Reply', 'review')
      const found = await listed('Review', some(replies, everything))
      const wrong = 'A relation over several fields compares all of them, and null is related to nothing.'
      same(names(found, 'reviewer'), 'Ann,Ann', wrong)
      same(names(await listed('Review', some(replies, is('text', 'b')))), names(found.slice(0, 1)), wrong)
      same(names(await listed('Reply', not(some('review', everything))), 'text'), 'c', wrong)
      const records = [
        [first['id'], 'Bob'],
        [second['id'], 'Ann'],
        [first['id'], 'Ann'],
      ]
      const to = { relation: replies, records, guard: everything }
      const lists = await store('Review').related?.(to, page)
      equal(
        lists?.map((rows) => names(rows, 'text')),
        ['', 'b', 'a'],
        wrong,
      )
      equal(await store('Review').countRelated?.(to, everything), [0, 1, 1], wrong)
    })
  })
}
