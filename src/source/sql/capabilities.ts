import type { ValueCapabilities } from '../../model/facts.ts'
import type { Capabilities } from '../source.ts'
import type { Family } from './codecs.ts'

/** What the engine can do with values in every database. */
export const valueCapabilities: ValueCapabilities = Object.freeze({
  ...{ exactText: true, literalContains: true, databaseDefaults: true },
  ...{ startsWith: true, equalsIgnoringCase: true, jsonPaths: true, arrayElements: true },
})

/** What the engine can do in every database. */
export const engineCapabilities: Capabilities = Object.freeze({
  ...{
    relations: true,
    relatedSort: true,
    aggregates: true,
    dateParts: true,
    countDistinct: true,
    having: true,
  },
  ...valueCapabilities,
})

/** What the source of an ORM can do if the engine writes its statements. */
export const capabilitiesOf = (
  family: Family,
  { sharedReads = true }: { readonly sharedReads?: boolean },
): Capabilities =>
  Object.freeze({
    ...{ ...engineCapabilities, sharedReads, transactions: true, rowLocks: true },
    ...{ unicodeCaseFolding: family !== 'sqlite', arrayElements: family === 'pg' },
  })
