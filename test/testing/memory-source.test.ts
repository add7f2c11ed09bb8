import { expect } from 'vitest'
import type { Capabilities, Row, TableFacts } from '../../src/entry/source.ts'
import { libraryTables, memorySource, sourceContract } from '../../src/entry/testing.ts'
import { runner } from '../runner.ts'

const titleLength = ({ title }: Row) => (typeof title === 'string' ? [...title].length : null)
const tables = libraryTables.filter(({ readOnly }) => readOnly !== true)

/** What no memory source has. */
const never = [
  ...[
    'CheapBook',
    'breakValue',
    'drop',
    'kill',
    'loggable',
    'missing',
    'observed',
    'refusalOf',
    'synchronous',
  ],
  'useHandle',
]

const contractOf = (
  without: readonly (keyof Capabilities)[],
  { untested = [], facts = tables }: { untested?: readonly string[]; facts?: readonly TableFacts[] } = {},
): void => {
  const absent = (['databaseDefaults', 'transactions'] as const).filter((name) => !without.includes(name))
  const expected = [...never, ...absent.map((name) => `no ${name}`), ...untested].sort()
  sourceContract(runner, {
    name: without.length === 0 ? 'memorySource' : `memorySource without ${without.join()}`,
    open: () => ({
      source: memorySource(facts, { defaults: { Book: { titleLength } }, without }),
      close: () => undefined,
    }),
    notTested: (needs) => expect(needs).toEqual(expected),
  })
}

contractOf([])
contractOf(['unicodeCaseFolding'])
contractOf(['transactions'], { untested: ['transactions'] })
contractOf(['rowLocks'], { untested: ['rowLocks'] })
contractOf(['literalContains'], { untested: ['literalContains'] })
contractOf(['databaseDefaults'], { untested: ['databaseDefaults'] })
contractOf(['exactText'], {
  facts: tables.filter(({ name }) => name !== 'Review' && name !== 'Shelf'),
  untested: ['Review', 'Review.book', 'Shelf.floor', 'exactText'],
})
