import { type Condition, everything, type Field, type Row, SourceError } from '../../entry/source.ts'
import { kinds, rowOf } from '../../model/kinds/index.ts'
import { same } from '../suite/assertions.ts'
import { fastCheck } from '../suite/fast-check.ts'
import { equal, ownOf, printed } from './forms.ts'
import { inherited } from './library.ts'
import { hardValues } from './samples.ts'
import { is, not, type Stage } from './stage.ts'

const shownOf = (field: Field, value: unknown): readonly [string, unknown] => [
  field.name,
  value === null ? null : kinds[field.kind].write(value, field),
]

/** Asserts that every value of every field is stored and found exactly. */
export const values = (stage: Stage): void => {
  const { runner, test, exhaustive, groups, store, model, book, hard, hardRows } = stage
  const about = (field: string, value: unknown): string => `${field} must keep ${printed(value)}.`

  runner.describe('values', () => {
    for (const [title, needs, names] of groups(hardValues))
      test(`${title} returns values as they were stored`, needs, async () => {
        const { id, authorId } = await book()
        for (const values of hardRows(names)) {
          const created = await book({ authorId, ...values })
          const updated = await store('Book').update([id], values, everything)
          const read = await store('Book').read([id], everything)
          for (const [name, value] of Object.entries(values))
            for (const row of [created, updated, read]) equal(row?.[name], value, about(name, value))
        }
      })

    for (const [title, needs, names] of groups(hardValues))
      test(`${title} finds a record by each value`, needs, async () => {
        const { authorId } = await book()
        const fields = model('Book').fields.filter((field) => names.includes(field.name))
        const comparable = fields.filter((field) => rowOf(field).comparable).map(({ name }) => name)
        for (const values of hardRows(comparable)) {
          const { id } = await book({ authorId, ...values })
          const given = Object.entries(values).filter(([, value]) => value !== null)
          const each = given.map(([name, value]) => is(name, value))
          const [first] = each
          if (first === undefined) continue
          const guard: Condition = each.length === 1 ? first : { op: 'and', conditions: each }
          const shown = given.map(([name, value]) => `${name} ${printed(value)}`).join(', ')
          const wrong = `A condition must find the stored values of ${shown}.`
          same((await store('Book').read([id], guard))?.['id'], id, wrong)
          same(await store('Book').read([id], not(guard)), undefined, wrong)
        }
      })

    exhaustive(
      'what responses show of any values can be written back, which changes nothing',
      ['Book'],
      async () => {
        const fc = await fastCheck()
        const { id } = await book()
        // Of types that the source does not know, clients may send less than is shown.
        const fields = model('Book').fields.filter(
          ({ name, kind, anyJson }) =>
            Object.hasOwn(hardValues, name) && (kind !== 'opaque' || anyJson === true),
        )
        const row = fc.record(
          Object.fromEntries(fields.map(({ name }) => [name, fc.constantFrom(...hard(name))])),
        )
        const update = async (row: Row): Promise<Row> => {
          const updated = await store('Book').update([id], row, everything)
          return Object.fromEntries(fields.map((field) => shownOf(field, ownOf(updated ?? {}, field.name))))
        }
        await fc.assert(
          fc.asyncProperty(row, async (values) => {
            const shown = await update(values)
            const sent = fields.map((field) => {
              const value = ownOf(shown, field.name)
              const reading = value === null ? { ok: true, value } : kinds[field.kind].read(value, field)
              same(reading.ok, true, about(field.name, value))
              return [field.name, reading.ok && reading.value]
            })
            equal(
              await update(Object.fromEntries(sent)),
              shown,
              'An update with the shown values changes nothing.',
            )
          }),
          { numRuns: 20 },
        )
      },
    )

    test('names of keys in JSON are kept, or the value is refused', ['Book.meta'], async () => {
      const { id } = await book()
      const isUpdated = async (meta: unknown): Promise<boolean> => {
        try {
          equal((await store('Book').update([id], { meta }, everything))?.['meta'], meta, about('meta', meta))
          return true
        } catch (error) {
          if (error instanceof SourceError && error.kind === 'value') return false
          throw error
        }
      }
      for (const name of ['__proto__', '$type', ...inherited])
        for (const text of [`{"${name}":null}`, `{"${name}":{"a":1}}`, `[{"b":{"${name}":[1],"c":2}}]`]) {
          const meta: unknown = JSON.parse(text)
          if (await isUpdated(meta))
            equal((await store('Book').read([id], everything))?.['meta'], meta, about('meta', meta))
        }
    })

    test('numbers beyond single precision are kept, or refused', ['Book.weight'], async () => {
      const { id } = await book()
      for (const weight of [9.5e190, -1e39, 1e-300]) {
        try {
          const updated = await store('Book').update([id], { weight }, everything)
          same(Number.isFinite(updated?.['weight']), true, about('weight', weight))
        } catch (error) {
          if (!(error instanceof SourceError && error.kind === 'value')) throw error
        }
      }
    })

    test('long strings are stored completely', [], async () => {
      const bio = 'ä\\%"\'\n'.repeat(20_000)
      const { id } = await store('Author').create({ name: 'x', bio })
      const read = await store('Author').read([id], everything)
      same(read?.['bio'] === bio, true, 'Author.bio must keep a string of 120000 characters.')
      same(await store('Author').count(is('bio', bio), everything), 1, 'Long strings can be compared.')
    })
  })
}
