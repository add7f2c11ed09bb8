import { everything, type Row } from '../../entry/source.ts'
import { has, same } from '../suite/assertions.ts'
import type { Runner } from '../suite/runner.ts'
import { acts } from './acts.ts'
import { aggregates } from './aggregates.ts'
import { capabilities } from './capabilities.ts'
import { choosing } from './choosing.ts'
import { conditions } from './conditions.ts'
import { counting } from './counting.ts'
import { createsMany } from './creating-many.ts'
import { creatingTogether } from './creating-together.ts'
import { expressions } from './expressions.ts'
import { equal } from './forms.ts'
import { groupConditions } from './group-conditions.ts'
import { guards } from './guards.ts'
import { inside } from './inside.ts'
import { byMeaning } from './meanings.ts'
import { inheritedNames } from './names.ts'
import { observing } from './observing.ts'
import { random } from './random.ts'
import { refusals } from './refusals.ts'
import { related } from './related.ts'
import { relations } from './relations.ts'
import { hardValues } from './samples.ts'
import { secrets } from './secrets.ts'
import { sorting } from './sorting.ts'
import { byId, type Need, type OpenedSource, refusal, type SourceUnderTest, stageOf } from './stage.ts'
import { strings } from './strings.ts'
import { transactions } from './transactions.ts'
import { values } from './values.ts'

const parts = [
  ...[
    acts,
    createsMany,
    creatingTogether,
    guards,
    expressions,
    values,
    strings,
    inheritedNames,
    conditions,
    inside,
    related,
    relations,
    aggregates,
    groupConditions,
    sorting,
    choosing,
    counting,
    refusals,
    secrets,
  ],
  ...[capabilities, transactions, observing],
]

/** Parts that the short suite leaves out. */
const exhaustive = [byMeaning, random]

/**
 * Declares the tests that every source must pass, on the models of `libraryTables`. The suite empties the tables itself.
 *
 * Tests of what the source does not have are skipped. After the last test, `notTested` receives what was skipped.
 *
 * Run the suite in UTC and with the environment variable `TZ=America/St_Johns`: times must not depend on the zone of the process.
 *
 * @param runner the functions of your test runner
 * @param subject the source, with means to reach its database
 * @example
 * ```ts
 * import { after, before, describe, it } from 'node:test'
 * import { libraryTables, memorySource, sourceContract } from 'modelrest/testing'
 *
 * sourceContract(
 *   { describe, it, before, after },
 *   { name: 'memorySource', open: () => ({ source: memorySource(libraryTables), close: () => undefined }) },
 * )
 * ```
 */
export const sourceContract = (runner: Runner, subject: SourceUnderTest): void => {
  const { describe, before, after } = runner
  const { name, notTested = report(name) } = subject
  describe(`${name} as a source`, () => {
    const untested = new Set<Need>()
    let opened: OpenedSource | undefined
    before(async () => {
      opened = await subject.open()
    })
    after(async () => {
      await opened?.close()
      if (untested.size > 0) notTested([...untested].sort())
    })
    const current = (): OpenedSource => {
      if (opened === undefined) throw new Error(`${name}: open() failed.`)
      return opened
    }
    const stage = stageOf(runner, current, untested, subject.extent)
    for (const part of parts) part(stage)
    if (stage.extent === 'complete') for (const part of exhaustive) part(stage)
    checks(stage, subject)
  })
}

/** Asserts what the source says of its database, on one that is then broken. */
const checks = ({ runner, test }: ReturnType<typeof stageOf>, subject: SourceUnderTest): void => {
  runner.describe('the database', () => {
    test('responds to ping, and has all tables', ['missing'], async () => {
      const { source, close } = await subject.open()
      same(await source.ping(), undefined, 'ping must return nothing.')
      same(await source.missing?.(source.models), [], 'missing must be empty if all tables exist.')
      same(await source.missing?.([]), [], 'missing must check only the given models.')
      await close()
    })

    test('has its records when it is opened again', ['reopen'], async () => {
      const opened = await subject.open()
      const before = stageOf(runner, () => opened, new Set())
      const author = await before.author({ bio: 'x' })
      const removed = await before.author()
      await before.store('Author').remove([removed['id']], everything)
      const books: Row[] = []
      if (before.has('Book'))
        for (const field of Object.keys(hardValues))
          for (const value of before.hard(field))
            books.push(await before.book({ authorId: author['id'], [field]: value }))
      const source = (await opened.reopen?.()) ?? opened.source
      const { store, ...after } = stageOf(runner, () => ({ ...opened, source }), new Set())
      const wrong = 'A source that is opened again must have the records that were stored before.'
      equal(await store('Author').read([author['id']], everything), author, wrong)
      same(await store('Author').count(everything, everything), 1, wrong)
      for (const book of books) equal(await store('Book').read([book['id']], everything), book, wrong)
      const added = await after.author()
      const key = source.models
        .find(({ name }) => name === 'Author')
        ?.fields.find(({ name }) => name === 'id')
      if (key?.comesAgain !== true)
        same(
          added['id'] === removed['id'],
          false,
          'A generated key must not return, unless it has comesAgain.',
        )
      same(await store('Author').count(everything, everything), 2, 'It must create records with new keys.')
      await opened.close()
    })

    test('lacks tables and columns, which missing names', ['missing', 'drop', 'Reply'], async () => {
      const { source, drop, close } = await subject.open()
      const modelOf = (wanted: string) => source.models.filter((model) => model.name === wanted)
      await drop?.('Reply')
      const missing = async (models = source.models) => (await source.missing?.(models)) ?? []
      const found = await missing()
      const wrong =
        'missing must name exactly those tables and columns of the given models that the database does not have.'
      same(
        found.map(({ model, columns }) => [model, columns]),
        [['Reply', undefined]],
        wrong,
      )
      same(await missing(modelOf('Author')), [], wrong)
      await drop?.('Author', 'bio')
      const [column] = await missing(modelOf('Author'))
      has(column, { model: 'Author' }, wrong)
      same(column?.columns?.length, 1, wrong)
      await close()
    })

    test('cannot be reached, which every method says', ['kill'], async () => {
      const { source, kill, close } = await subject.open()
      const [author] = source.models.filter(({ name }) => name === 'Author')
      if (author === undefined) throw new Error('The source has no model Author.')
      const store = source.store(author)
      await store.count(everything, everything)
      await kill?.()
      const estimated = await store.estimate?.(everything)
      same(estimated, undefined, 'estimate must return undefined if the database cannot be reached.')
      const acts = [
        () => store.list({ filter: everything, order: byId, limit: 1, offset: 0 }, everything),
        () => store.count(everything, everything),
        () => store.read([1], everything),
        () => store.create({ name: 'x' }),
        () => store.update([1], { name: 'x' }, everything),
        () => store.remove([1], everything),
        () => store.take([1], everything),
        () => source.missing?.(source.models) ?? source.ping(),
        () => source.ping(),
      ]
      for (const act of acts) await refusal(act, { kind: 'unavailable' })
      await close()
    })
  })
}

const report = (name: string) => (needs: readonly Need[]) => {
  process.stderr.write(
    `${name}: sourceContract did not test ${needs.join(', ')}, which the source does not have.\n`,
  )
}
