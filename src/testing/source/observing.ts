import {
  type Condition,
  everything,
  type ModelSource,
  type StatementEnded,
  type StatementFacts,
} from '../../entry/source.ts'
import { has, same } from '../suite/assertions.ts'
import { errorOf, is, type Stage } from './stage.ts'

interface Observed {
  readonly begun: StatementFacts
  readonly ended: StatementEnded
  /** What happened, in order. */
  readonly steps: readonly string[]
}

/** The same source, with the statements that it reports. */
export const watched = (
  source: ModelSource,
): { readonly observed: ModelSource; readonly statements: readonly Observed[] } => {
  const statements: Observed[] = []
  const observed = source.observed?.((begun) => {
    const steps = ['begun']
    return {
      run: (work) => {
        steps.push('run')
        return work()
      },
      end: (ended) => {
        steps.push('ended')
        statements.push({ begun, ended, steps })
      },
    }
  })
  if (observed === undefined) throw new Error('observed must return a source.')
  return { observed, statements }
}

export const ofOperation = (statements: readonly Observed[], operation: string): readonly Observed[] =>
  statements.filter(({ begun }) => begun.operation === operation)

const secret = 'value-that-is-secret'
const named: Condition = is('name', secret)

/** Asserts what an observed source reports of its statements. */
export const observing = ({ runner, test, source, model, store, can }: Stage): void => {
  runner.describe('observed statements', () => {
    test('are reported without values', ['observed'], async () => {
      const { observed, statements } = watched(source())
      const authors = observed.store(model('Author'))
      const { id } = await authors.create({ name: secret })
      await authors.list({ filter: named, order: [], limit: 17_171, offset: 0 }, everything)
      await authors.count(everything, everything)
      await authors.read([id], everything)
      await authors.update([id], { bio: secret }, everything)
      await authors.remove([id], everything)
      for (const operation of ['insert', 'select', 'update', 'delete'])
        same(ofOperation(statements, operation).length > 0, true, `No ${operation} was reported.`)
      same(ofOperation(statements, 'select').length >= 3, true, 'list, count and read must be reported.')
      const texts = statements.map(({ begun }) => begun.text).join()
      same(
        /value-that|17171/.test(texts),
        false,
        'The text of a statement must have placeholders for values.',
      )
      // A source may have statements of its own, for example for the version of the database.
      for (const { ended, steps } of statements.filter(({ begun }) => begun.model === 'Author')) {
        has(ended, { error: undefined, code: undefined }, 'These statements succeed.')
        same(ended.seconds > 0, true, 'The duration must be reported.')
        same(
          steps,
          ['begun', 'run', 'ended'],
          'A statement must be reported, run and ended once, in this order.',
        )
      }
    })

    test('report the kind of an error', ['observed', 'Author.email', 'refuses unique'], async () => {
      const { observed, statements } = watched(source())
      const authors = observed.store(model('Author'))
      const values = { name: 'x', email: secret }
      await authors.create(values)
      await errorOf(() => authors.create(values))
      const inserts = ofOperation(statements, 'insert').map(({ ended }) => ended)
      same(
        inserts.map(({ error }) => error),
        [undefined, 'unique'],
        'The kind of the error must be reported.',
      )
      same(JSON.stringify(inserts).includes(secret), false, 'Values must not be reported.')
    })

    test('are reported once in a transaction', ['observed', 'transactions'], async () => {
      const { observed, statements } = watched(source())
      await observed.transaction((inside) => inside.store(model('Author')).create({ name: secret }))
      const steps = ofOperation(statements, 'insert').map((statement) => statement.steps)
      same(steps, [['begun', 'run', 'ended']], 'A statement of a transaction must be reported once.')
      same(await store('Author').count(named, everything), 1, 'An observed transaction must save.')
    })

    test('return what others return', ['observed'], async () => {
      const counted = watched(source()).observed.store(model('Author')).count(everything, everything)
      same(typeof counted === 'number', can('synchronous'), 'An observed source is as synchronous as it was.')
      same(await counted, 0, 'An observed source must return the result.')
    })
  })
}
