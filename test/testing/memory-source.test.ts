import { expect } from 'vitest'
import type { Capabilities, Row, TableFacts } from '../../src/entry/source.ts'
import { libraryTables, memorySource, sourceContract } from '../../src/entry/testing.ts'
import { runner } from './runner.ts'

const defaults = {
  Book: { titleLength: ({ title }: Row) => (typeof title === 'string' ? [...title].length : null) },
}
const tables = libraryTables.filter(({ readOnly }) => readOnly !== true)

const contractOf = (
  name: string,
  facts: readonly TableFacts[],
  without: readonly (keyof Capabilities)[],
  expected: readonly string[],
): void =>
  sourceContract(runner, {
    name,
    open: () => ({ source: memorySource(facts, { defaults, without }), close: () => undefined }),
    notTested: (needs) => expect(needs).toEqual(expected),
  })

const never = ['Book.signature', 'CheapBook', 'breakValue', 'kill', 'loggable', 'missing', 'observed', 'refusalOf']
const all = ['no databaseDefaults', 'no transactions', ...never, 'synchronous', 'useHandle']

contractOf('memorySource()', tables, [], all.toSorted())
