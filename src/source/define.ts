import { assertKnown, assertMembers, closestTo, StartError } from '../error/errors.ts'
import type { Model } from '../model/model.ts'
import type { Capabilities, ModelSource } from './source.ts'

/** The version of the port, which changes if a source must be rewritten. */
const VERSION = 1

/** What makes the option `models`, for messages. */
export const sourceExamples =
  'what drizzleModels(), prismaModels(), typeormModels(), mikroOrmModels() or sequelizeModels() returns'

/** Registered, because a source may have another copy of this package than the application. */
const DEFINED = Symbol.for('modelrest.source')

const members = {
  required: {
    models: 'object',
    capabilities: 'object',
    store: 'function',
    transaction: 'function',
    ping: 'function',
  },
  optional: {
    notes: 'object',
    queues: 'object',
    hooks: 'object',
    advice: 'object',
    fills: 'function',
    missing: 'function',
    refusalOf: 'function',
    loggable: 'function',
    conditionOf: 'function',
    observed: 'function',
  },
} as const

const memberNames = ['db', ...Object.values(members).flatMap(Object.keys)]

const capabilities: Readonly<Record<keyof Capabilities, true>> = {
  synchronous: true,
  transactions: true,
  rowLocks: true,
  exactText: true,
  exactKeys: true,
  literalContains: true,
  startsWith: true,
  equalsIgnoringCase: true,
  jsonPaths: true,
  arrayElements: true,
  databaseDefaults: true,
  unicodeCaseFolding: true,
  sharedReads: true,
  relations: true,
  relatedSort: true,
  aggregates: true,
  dateParts: true,
  countDistinct: true,
  having: true,
}

/**
 * Makes an object a source for the option `models`.
 *
 * @param source the members of the port, in an object that is not frozen. It may have others, such as `close`. Copies of it
 * (`{ ...source, ping }`) are sources too.
 * @throws StartError if a member is missing, misspelt or has the wrong type, a capability is unknown, or a model has no primary
 * key
 * @returns `source`
 */
export const defineSource = <Source extends ModelSource>(source: Source): Source => {
  assertShape(source, 'defineSource')
  if (!Object.isExtensible(source))
    throw new StartError('defineSource: the source must not be frozen or sealed.')
  // Enumerable, so that a copy with some members replaced is a source too.
  return Object.defineProperty(source, DEFINED, { value: VERSION, enumerable: true })
}

/** @throws StartError if the value is not a source, or is made for another version of the port */
export const assertSource = (source: unknown): void => {
  if (typeof source !== 'object' || source === null || !('models' in source))
    throw new StartError(`The option models must be a model source. Pass ${sourceExamples}.`)
  const version: unknown = Reflect.get(source, DEFINED)
  if (version === undefined)
    throw new StartError(
      'The option models must be a model source that defineSource() of modelrest/source returned.',
    )
  if (version !== VERSION)
    throw new StartError(
      `The source in the option models is made for version ${version} of modelrest/source, and this is version ${VERSION}. Install matching versions of both packages.`,
    )
  assertShape(source, 'The option models')
}

const assertShape = (source: object, place: string): void => {
  assertNoTypo(source, place)
  assertMembers(place, source, members)
  const { models, capabilities: declared }: { models?: unknown; capabilities?: object } = source
  for (const [name, value] of Object.entries(declared ?? {})) {
    assertKnown(`${place}: unknown capability`, name, Object.keys(capabilities))
    if (value !== undefined && typeof value !== 'boolean')
      throw new StartError(`${place}: the capability ${name} must be true or false.`)
  }
  if (!Array.isArray(models)) throw new StartError(`${place}: models must be an array.`)
  for (const model of models) assertModel(model, place)
}

/** A source may have members of its own, such as `close`. */
const assertNoTypo = (source: object, place: string): void => {
  const absent = memberNames.filter((name) => Reflect.get(source, name) === undefined)
  for (const name of Object.keys(source)) {
    const meant = memberNames.includes(name) ? '' : closestTo(name, absent)
    if (meant !== '') throw new StartError(`${place}: unknown member ${name}. Did you mean ${meant}?`)
  }
}

const assertModel = (model: unknown, place: string): void => {
  const { name, fields, primaryKey, readOnly }: Partial<Model> = Object(model)
  if (typeof name !== 'string' || !Array.isArray(fields) || !Array.isArray(primaryKey))
    throw new StartError(`${place}: models must come from describeModels() of modelrest/source.`)
  if (primaryKey.length === 0 && readOnly !== true)
    throw new StartError(`${place}: the model ${name} needs a primary key, or has to be read-only.`)
}
