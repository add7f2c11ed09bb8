import { everything, type Row, SourceError } from '../../entry/source.ts'
import { matches, same } from '../suite/assertions.ts'
import { generated, inOrder } from './creating-many.ts'
import { equal } from './forms.ts'
import { hardValues } from './samples.ts'
import { byId, errorOf, numberedKey, refusal, type Stage } from './stage.ts'
import { createTogether, many, type SessionStep, stepsIn, testingMany } from './steps.ts'

const MANY = 1200
/** Of the supported databases, SQLite has the smallest limit of values in a statement. */
const MOST_VALUES = 32_766
const CONCURRENT = 4

type Refusal = readonly [
  title: string,
  kind: SourceError['kind'],
  needs: readonly string[],
  /** A record that is stored before, and values of which the last cannot be stored with it. */
  values: (first: Row) => readonly Row[],
]

/** Asserts that `createMany`, if a source has it, stores many records, and all or none of them. */
export const creatingTogether = (stage: Stage): void => {
  const { runner, model, store, author, book, newBook } = stage
  const inTransaction = stepsIn(stage)
  const createMany = createTogether(stage)
  const test = testingMany(stage)

  runner.describe('createMany', () => {
    /** Creates records, counts them, and rolls back, because it takes long to delete them one by one. */
    const createAndUndo = async (name: string, values: readonly Row[]): Promise<readonly Row[]> => {
      let rows: unknown
      const undone = new Error('The error of the work.')
      const error = await errorOf(() =>
        inTransaction(
          many(model(name), values),
          (session, stored) => {
            rows = stored
            return session.store(model(name)).count(everything, everything)
          },
          (_session, counted) => {
            same(counted, values.length, 'createMany must store all records.')
            throw undone
          },
        ),
      )
      if (error !== undone) throw error
      same(await store(name).count(everything, everything), 0, allOrNone)
      return rows as readonly Row[]
    }

    test(`stores ${MANY} records`, ['Author'], async () => {
      const values = Array.from({ length: MANY }, (_, at) => ({ name: `a${at}` }))
      const rows = await createAndUndo('Author', values)
      same(namesOf(rows), namesOf(values), inOrder)
      same(new Set(rows.map(({ id }) => id)).size, MANY, generated)
    })

    // A source without tables has no statements, and may take long to store many books.
    test(
      'stores more values than a statement can have',
      ['Book'],
      async () => {
        const filled = Object.keys(hardValues).map((field) => [field, stage.hard(field)[0]] as const)
        const { id: authorId } = await author()
        const one = newBook({ ...Object.fromEntries(filled), authorId })
        const length = Math.ceil(MOST_VALUES / Object.keys(one).length) + 1
        const values = Array.from({ length }, (_, at) => ({ ...one, isbn: `b${at}` }))
        const rows = await createAndUndo('Book', values)
        same(
          rows.map(({ isbn }) => isbn),
          values.map(({ isbn }) => isbn),
          inOrder,
        )
      },
      ['missing'],
    )

    test('with an unknown field throws, and names the field', ['Author'], async () => {
      const error = await errorOf(() => createMany('Author', [{ name: 'a' }, { name: 'b', nope: 1 }]))
      matches(error, /nope/, 'Values with an unknown field must not be ignored.')
      same(await store('Author').count(everything, everything), 0, allOrNone)
    })

    const refused: readonly Refusal[] = [
      ['a value that another record has', 'unique', ['refuses unique'], ({ isbn }) => [{ isbn }]],
      ['a value twice', 'unique', ['refuses unique'], () => [{ isbn: 'x' }, { isbn: 'y' }, { isbn: 'x' }]],
      [
        ...(['a foreign key without its record', 'missing-reference'] as const),
        ...([
          ['Book.author', 'refuses missing-reference'],
          () => [{ authorId: numberedKey(model('Author'), 0) }],
        ] as const),
      ],
      ['null for a required field', 'not-null', ['refuses not-null'], () => [{ title: null }]],
      ['no value for a required field', 'not-null', ['refuses not-null'], () => [{ title: undefined }]],
    ]
    for (const [title, kind, needs, values] of refused)
      test(
        `refuses ${title} with all records`,
        ['Book'],
        async () => {
          const first = await book()
          const given = [{}, ...values(first), {}].map((each) =>
            newBook({ authorId: first['authorId'], ...each }),
          )
          const create: SessionStep = (session) => session.store(model('Author')).create({ name: 'x' })
          await refusal(() => inTransaction(create, many(model('Book'), given)), { kind })
          same(await store('Book').count(everything, everything), 1, allOrNone)
          same(await store('Author').count(everything, everything), 1, allOrNone)
          same((await createMany('Book', [newBook({ authorId: first['authorId'] })])).length, 1, nextCall)
        },
        needs,
      )

    test(
      'of concurrent transactions returns their own records',
      ['Author'],
      async () => {
        const all = await Promise.all(
          Array.from({ length: CONCURRENT }, async (_, place) => {
            const values = Array.from({ length: 25 }, (_value, at) => ({ name: `${place} ${at}` }))
            for (let attempt = 0; ; attempt += 1)
              try {
                return { values, rows: await createMany('Author', values) }
              } catch (error) {
                if (!(error instanceof SourceError) || error.kind !== 'contended' || attempt === 50)
                  throw error
              }
          }),
        )
        const wrong = 'Each call must return the records that it stored, with their keys.'
        for (const { values, rows } of all)
          same(
            rows.map(({ name }) => name),
            values.map(({ name }) => name),
            wrong,
          )
        const page = { filter: everything, order: byId, limit: 999, offset: 0 }
        const stored = await store('Author').list(page, everything)
        const returned = new Map(all.flatMap(({ rows }) => rows.map((row) => [row['id'], row] as const)))
        same(returned.size, stored.length, wrong)
        for (const row of stored) equal(returned.get(row['id']), row, wrong)
      },
      ['no synchronous'],
    )
  })
}

const allOrNone = 'A refused createMany must store none of the records.'
const nextCall = 'After a refused createMany, the next one must succeed.'

const namesOf = (rows: readonly Row[]): readonly unknown[] => rows.map(({ name }) => name)
