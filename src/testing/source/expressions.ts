import { inspect } from 'node:util'
import { type Condition, everything, type FieldKind } from '../../entry/source.ts'
import { same } from '../suite/assertions.ts'
import { printed } from './forms.ts'
import { is, not, nothing, recordKey, type Stage } from './stage.ts'

const compared: readonly FieldKind[] = [
  ...(['text', 'enum', 'uuid', 'boolean', 'integer', 'bigint', 'float', 'decimal'] as const),
  ...(['date', 'time', 'datetime', 'localdatetime'] as const),
]

/** Asserts that queries of the application find by `conditionOf` what stores find by the same condition. */
export const expressions = ({
  runner,
  test,
  extent,
  can,
  source,
  opened,
  model,
  store,
  book,
  has,
  hard,
}: Stage): void => {
  runner.describe('conditions for queries of the application', () => {
    const keysOf = async (name: string, condition: Condition, ask: 'store' | 'query'): Promise<string[]> => {
      const order = model(name).primaryKey.map((field) => ({ field, direction: 'asc' }) as const)
      const rows =
        ask === 'store'
          ? await store(name).list({ filter: condition, order, limit: 1000, offset: 0 }, everything)
          : ((await opened().find?.(name, source().conditionOf?.(model(name), condition))) ?? [])
      return rows.map((row) => printed(recordKey(model(name), row))).sort()
    }
    const sameIn = async (name: string, condition: Condition, howMany?: number): Promise<void> => {
      const expected = await keysOf(name, condition, 'store')
      if (howMany !== undefined) same(expected.length, howMany, 'The sample must meet the condition.')
      const wrong = `A query by conditionOf(${inspect(condition)}) must find what the store finds.`
      same(await keysOf(name, condition, 'query'), expected, wrong)
    }

    /** Without exact comparison, more names may be equal. */
    const exactly = (howMany: number) => (can('exactText') ? howMany : undefined)

    test('find the same records as stores do', ['conditionOf', 'find'], async () => {
      const authors = await Promise.all(
        ['a', 'A', 'b ', 'b'].map((name) => store('Author').create({ name, bio: name === 'a' ? null : 'x' })),
      )
      const ids = authors.map(({ id }) => id)
      await sameIn('Author', everything, 4)
      await sameIn('Author', nothing, 0)
      for (const name of ['a', 'b', "'", '%']) await sameIn('Author', is('name', name))
      await sameIn('Author', { op: 'is-null', field: 'bio' }, 1)
      await sameIn('Author', not(is('name', 'a')), exactly(3))
      for (const many of [0, 1, 3])
        await sameIn('Author', { op: 'in', field: 'id', values: ids.slice(0, many) })
      const all = [...ids, ...Array.from({ length: 40 }, (_, at) => Number(ids[0]) + 1000 + at)]
      if (typeof ids[0] === 'number') await sameIn('Author', { op: 'in', field: 'id', values: all }, 4)
      await sameIn('Author', { op: 'and', conditions: [is('bio', 'x'), not(is('name', 'b'))] }, exactly(2))
      await sameIn('Author', { op: 'or', conditions: [is('name', 'a'), is('name', 'b')] }, exactly(2))
    })

    test('compare values of every kind', ['conditionOf', 'find', 'Book'], async () => {
      await book()
      const fields = model('Book').fields.filter(
        ({ name, kind }) => compared.includes(kind) && !/id$/i.test(name),
      )
      for (const { name } of fields)
        for (const value of hard(name).slice(0, extent === 'short' ? 1 : 3)) {
          await book({ [name]: value })
          await sameIn('Book', is(name, value))
        }
    })

    test('go through relations', ['conditionOf', 'find', 'Category.parent'], async () => {
      const top = await store('Category').create({ name: 'top' })
      const low = await store('Category').create({ name: 'low', parentId: top['id'] })
      await store('Category').create({ name: 'lowest', parentId: low['id'] })
      const of = (relation: string, condition: Condition): Condition => ({
        op: 'related',
        relation,
        condition,
      })
      await sameIn('Category', of('parent', is('name', 'top')), 1)
      await sameIn('Category', not(of('parent', is('name', 'top'))), 2)
      await sameIn('Category', of('parent', of('parent', is('name', 'top'))), 1)
      if (!has('Book.author')) return
      await book()
      await sameIn('Book', of('author', is('name', 'Stanisław Lem')), 1)
      await sameIn('Book', of('author', is('name', 'Somebody')), 0)
      const { inverse } = model('Book').relations.find(({ name }) => name === 'author') ?? {}
      if (has('relations')) await sameIn('Author', of(inverse ?? '', is('title', 'Solaris')), 1)
    })
  })
}
