import { type Condition, everything, type Row } from '../../entry/source.ts'
import { same } from '../suite/assertions.ts'
import { equal, ownOf } from './forms.ts'
import { inherited } from './library.ts'
import { is, type Stage } from './stage.ts'

/** Asserts that fields may have names that every object inherits. */
export const inheritedNames = ({ runner, test, exhaustive, store, has }: Stage): void => {
  const oddities = () => store('Oddity')
  /** Some ORMs refuse some names. */
  const known = () => inherited.filter((name) => has(`Oddity.${name}`))
  const part = (row: Row = {}): Row => Object.fromEntries(known().map((name) => [name, ownOf(row, name)]))
  const withAll = (value: string | null): Row => Object.fromEntries(known().map((name) => [name, value]))

  runner.describe('fields with names that every object inherits', () => {
    test('are null without a value, and keep their value if an update omits them', ['Oddity'], async () => {
      const wrong = 'Read values only with Object.hasOwn: row.constructor is never undefined.'
      const empty = await oddities().create({ name: 'x' })
      equal(part(empty), withAll(null), wrong)
      equal(part(await oddities().update([empty['id']], { name: 'y' }, everything)), withAll(null), wrong)
      const full = await oddities().create({ name: 'x', ...withAll('set') })
      equal(part(full), withAll('set'), wrong)
      equal(part(await oddities().update([full['id']], { name: 'y' }, everything)), withAll('set'), wrong)
      equal(part(await oddities().read([full['id']], everything)), withAll('set'), wrong)
    })

    for (const field of inherited)
      exhaustive(
        `${field} can be written, read, compared, sorted and chosen`,
        [`Oddity.${field}`],
        async () => {
          const first = await oddities().create({ name: 'x', [field]: 'b' })
          const second = await oddities().create({ name: 'x', [field]: 'a' })
          const found = async (filter: Condition, fields?: readonly string[]) => {
            const order = [{ field, direction: 'asc' } as const]
            return oddities().list(
              { filter, order, limit: 9, offset: 0, ...(fields && { fields }) },
              everything,
            )
          }
          const ids = async (filter: Condition) => (await found(filter)).map(({ id }) => id)
          const wrong = `A field named ${field} must work as any other.`
          same(await ids(everything), [second['id'], first['id']], wrong)
          same(await ids(is(field, 'a')), [second['id']], wrong)
          same(await ids({ op: 'contains', field, value: 'B' }), [first['id']], wrong)
          const chosen = (await found(everything, ['id', field])).map((row) => Object.entries(row))
          const expected = [second, first].map(({ id }, at) => [
            ['id', id],
            [field, at === 0 ? 'a' : 'b'],
          ])
          same(chosen, expected, wrong)
          const guard = is(field, 'a')
          same(await oddities().update([first['id']], { name: 'y' }, guard), undefined, wrong)
          equal(part(await oddities().update([second['id']], { [field]: null }, guard)), withAll(null), wrong)
        },
      )
  })
}
