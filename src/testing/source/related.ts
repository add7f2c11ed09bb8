import { type Condition, everything } from '../../entry/source.ts'
import { same } from '../suite/assertions.ts'
import { equal, holdsValues } from './forms.ts'
import { is, not, type Stage } from './stage.ts'

const of = (relation: string, condition: Condition): Condition => ({ op: 'related', relation, condition })
const byName = (value: string): Condition => is('name', value)

/** Asserts conditions on the record at the other end of a relation. */
export const related = ({ runner, test, store, book, author, part }: Stage): void => {
  runner.describe('conditions on a related record', () => {
    test('hold if the record exists and the condition holds for it', ['Book.author'], async () => {
      const b = await book()
      const books = (guard: Condition) => store('Book').count(everything, guard)
      const wrong = 'related must hold if and only if a related record meets the condition.'
      same(await books(of('author', byName('Stanisław Lem'))), 1, wrong)
      same(await books(of('author', byName('Somebody'))), 0, wrong)
      same(await books(not(of('author', byName('Stanisław Lem')))), 0, wrong)
      same(await books(not(of('author', byName('Somebody')))), 1, wrong)
      same(await store('Book').read([b['id']], of('author', byName('Somebody'))), undefined, wrong)
      same(await store('Book').remove([b['id']], of('author', byName('Somebody'))), false, wrong)
      const guard = of('author', byName('Stanisław Lem'))
      const updated = await store('Book').update([b['id']], { pages: 1 }, guard)
      holdsValues(updated, part({ pages: 1 }), wrong)
    })

    test('do not hold for a foreign key that is null', ['Book.translator'], async () => {
      await book()
      const books = (guard: Condition) => store('Book').count(everything, guard)
      const wrong = 'Without a related record, related does not hold, and its negation does.'
      same(await books(of('translator', everything)), 0, wrong)
      same(await books(of('translator', not(everything))), 0, wrong)
      same(await books(not(of('translator', everything))), 1, wrong)
      const { id } = await author({ name: 'x', bio: null })
      await book({ translatorId: id })
      const isLem: Condition = { op: 'contains', field: 'bio', value: 'Lem' }
      same(await books(of('translator', not(isLem))), 1, wrong)
      same(await books(not(of('translator', isLem))), 2, wrong)
    })

    test('reach through two relations, also within one table', ['Category.parent'], async () => {
      const top = await store('Category').create({ name: 'top' })
      const middle = await store('Category').create({ name: 'middle', parentId: top['id'] })
      const low = await store('Category').create({ name: 'low', parentId: middle['id'] })
      const under = of('parent', of('parent', byName('top')))
      const categories = store('Category')
      const wrong = 'related must work in a condition on a related record, and for a table related to itself.'
      same(await categories.count(everything, under), 1, wrong)
      equal(await categories.read([low['id']], under), low, wrong)
      holdsValues(await categories.update([low['id']], { name: 'x' }, under), { name: 'x' }, wrong)
      holdsValues(await categories.take([low['id']], under), { name: 'x' }, wrong)
    })
  })
}
