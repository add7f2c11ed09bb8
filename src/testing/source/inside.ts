import {
  type Condition,
  everything,
  holds,
  type JsonScalar,
  type JsonStep,
  type Row,
} from '../../entry/source.ts'
import { same } from '../suite/assertions.ts'
import { fastCheck } from '../suite/fast-check.ts'
import { not, type Stage } from './stage.ts'

const scalars: readonly JsonScalar[] = [
  ...['', 'a', 'A', 'ab', 'É', 'é', '1', 'true', 'null', "it's", 'a"b', 'a\\', '50%', '🚀', 'ß'],
  ...[0, 1, -1, 0.1, 1e300, -1e-300, 9007199254740992, 123456789.25, true, false],
]

const keys: readonly string[] = [
  'a',
  'A',
  '0',
  'a.b',
  "it's",
  '$',
  '*',
  '[0]',
  ' ',
  'é🚀',
  '~',
  '@',
  'length',
]

const steps: readonly JsonStep[] = [...keys, 0, 1, 7, 2 ** 31 - 1]

const comparisons = ['eq', 'lt', 'le', 'gt', 'ge', 'matches'] as const

const needs = ['Book.meta', 'jsonPaths'] as const

/** Documents in which many values stand in many places. */
const documents: readonly unknown[] = [
  ...[{ a: { a: null } }, { a: [] }, {}, [], [[1]], { '0': 'a', a: ['a', ['A']] }],
  ...scalars.map((value, at) => ({
    [keys[at % keys.length] ?? '']: value,
    a: [value, [value], { a: value }],
  })),
  ...keys.map((key, at) => ({ a: { [key]: scalars[at] }, [key]: [{ [key]: scalars[at + 3] }, scalars[at]] })),
  ...scalars.map((value) => value),
]

/** Asserts that conditions on values inside JSON and arrays mean the same as `holds`. */
export const inside = ({ runner, test, can, extent, store, model, author, book, has }: Stage): void => {
  runner.describe('inside arrays', () => {
    test('`has-element` finds an element as a whole', ['Book.tags', 'arrayElements'], async () => {
      const { comparesElements, nullable } = model('Book').fields.find(({ name }) => name === 'tags') ?? {}
      if (comparesElements !== true) return
      const texts = scalars.filter((value) => typeof value === 'string')
      const rows: Row[] = []
      for (const [at, text] of texts.entries()) rows.push(await book({ tags: [text, texts[at + 2] ?? 'x'] }))
      rows.push(await book({ tags: [] }))
      if (nullable) rows.push(await book({ tags: null }))
      const isbnsOf = (some: readonly Row[]) => some.map((row) => row['isbn']).toSorted()
      for (const value of [...texts, 'missing', '{a}', 'a,b']) {
        const has: Condition = { op: 'has-element', field: 'tags', value }
        for (const filter of [has, not(has)]) {
          const found = await store('Book').list({ filter, order: [], limit: 999, offset: 0 }, everything)
          const expected = rows.filter((row) => holds(filter, row, { model: model('Book') }))
          same(isbnsOf(found), isbnsOf(expected), `has-element must find ${value} byte for byte.`)
        }
      }
    })
  })

  runner.describe('inside JSON', () => {
    /** Stores the documents. @returns asserts what a condition finds. `undefined`: the source cannot look inside the field */
    const storedDocuments = async () => {
      const of = model('Book')
      const { jsonPaths, nullable } = of.fields.find(({ name }) => name === 'meta') ?? {}
      if (jsonPaths !== true) return undefined
      const authorId = has('Book.authorId') ? { authorId: (await author())['id'] } : {}
      const rows: Row[] = []
      for (const [place, meta] of [...documents, ...(nullable ? [null] : [])].entries())
        rows.push(await book({ ...authorId, isbn: `${place}`, meta }))
      const by = { model: of, unicodeCaseFolding: can('unicodeCaseFolding') }
      const isbnsOf = (some: readonly Row[]) => some.map((row) => row['isbn']).toSorted()
      return async (filter: Condition): Promise<void> => {
        const found = await store('Book').list({ filter, order: [], limit: 999, offset: 0 }, everything)
        const expected = rows.filter((row) => holds(filter, row, by))
        same(
          isbnsOf(found),
          isbnsOf(expected),
          'A condition inside JSON must find the records for which it holds.',
        )
      }
    }

    test('values are compared by their type, and arrays by their elements', needs, async () => {
      const assertFound = await storedDocuments()
      for (const value of scalars)
        for (const is of comparisons)
          await assertFound?.({ op: 'json', field: 'meta', path: ['a'], is, value })
      for (const step of steps) await assertFound?.({ op: 'json-null', field: 'meta', path: ['a', step] })
    })

    test('random conditions find what `holds` finds', needs, async () => {
      const fc = await fastCheck()
      const assertFound = await storedDocuments()
      if (assertFound === undefined) return
      const path = fc.array(fc.constantFrom(...steps), { minLength: 1, maxLength: 3 })
      const at = { field: fc.constant('meta'), path }
      const value = fc.constantFrom(...scalars)
      const leaf = fc.oneof(
        fc.record({ ...at, op: fc.constant('json' as const), is: fc.constantFrom(...comparisons), value }),
        fc.record({ ...at, op: fc.constant('json-null' as const) }),
      )
      const condition = fc.letrec<{ tree: Condition }>((tie) => ({
        tree: fc.oneof(
          { maxDepth: 2 },
          { weight: 4, arbitrary: leaf },
          { weight: 2, arbitrary: tie('tree').map(not) },
          {
            weight: 1,
            arbitrary: fc
              .tuple(fc.constantFrom('and' as const, 'or' as const), tie('tree'), tie('tree'))
              .map(([op, ...conditions]): Condition => ({ op, conditions })),
          },
        ),
      })).tree
      await fc.assert(fc.asyncProperty(condition, assertFound), {
        numRuns: extent === 'short' ? 50 : 200,
      })
    })
  })
}
