import { isRecord } from '../../error/record.ts'
import { OURS } from './form-operations.ts'

type Json = Readonly<Record<string, unknown>>

/**
 * A copy of a document of modelrest from which TypeScript gets narrower types. `undefined` for other documents, which may
 * refer to files next to them.
 *
 * - Named schemas have only the properties that they list, so that TypeScript finds misspelt names. A type in TypeScript
 *   accepts properties that are added later anyway.
 * - Operations with `filter` have a parameter for each field instead: `{ query: { status: 'open' } }`.
 */
export const documentForTypes = (document: unknown): Json | undefined => {
  if (!isRecord(document) || !isRecord(document['components']) || !isRecord(document['paths']))
    return undefined
  const { components, paths } = document
  if (!JSON.stringify(paths).includes(`"${OURS}":`)) return undefined
  const replaceFilter = withFieldParameters(parametersOf(components, paths))
  return {
    ...document,
    paths: mapValues(paths, (item) => mapValues(item, replaceFilter)),
    components: { ...components, schemas: mapValues(components['schemas'], closedSchema) },
  }
}

const mapValues = (object: unknown, change: (value: unknown) => unknown): unknown =>
  isRecord(object)
    ? Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))
    : object

const closedSchema = (schema: unknown): unknown => {
  if (!isRecord(schema) || !isRecord(schema['properties']) || schema['additionalProperties'] !== true)
    return schema
  const { additionalProperties: _others, ...closed } = schema
  return closed
}

const withFieldParameters =
  ({ resolved, fieldsByTag }: DocumentFacts) =>
  (operation: unknown): unknown => {
    if (!isRecord(operation) || !(OURS in operation)) return operation
    const given = listOf(operation['parameters'])
    const known = given.map(resolved)
    if (!known.some(isFilter)) return operation
    const taken = new Set(known.map((each) => each['name']))
    const names = (fieldsIn(known) ?? fieldsByTag.get(tagOf(operation)) ?? []).filter(
      (name) => !taken.has(name),
    )
    return {
      ...operation,
      parameters: [...given.filter((each) => !isFilter(resolved(each))), ...names.map(conditionOn)],
    }
  }

const conditionOn = (name: string): Json => ({
  ...{ name, in: 'query', required: false, schema: { type: 'string' } },
  description: `A condition on \`${name}\`.`,
})

const isFilter = ({ name, in: place, schema, explode }: Json): boolean =>
  name === 'filter' &&
  place === 'query' &&
  explode === true &&
  isRecord(schema) &&
  schema['type'] === 'object'

interface DocumentFacts {
  readonly resolved: (parameter: unknown) => Json
  /** Aggregates and writes of many records do not list the fields of their model. */
  readonly fieldsByTag: ReadonlyMap<unknown, readonly string[]>
}

const parametersOf = (components: Json, paths: Json): DocumentFacts => {
  const shared = isRecord(components['parameters']) ? components['parameters'] : {}
  const resolved = (parameter: unknown): Json => {
    if (!isRecord(parameter)) return {}
    const name =
      String(parameter['$ref'] ?? '')
        .split('/')
        .at(-1) ?? ''
    const named = shared[name]
    return isRecord(named) ? named : parameter
  }
  const operations = Object.values(paths).flatMap((item) => (isRecord(item) ? Object.values(item) : []))
  const fieldsByTag = new Map<unknown, readonly string[]>()
  for (const operation of operations) {
    if (!isRecord(operation)) continue
    const fields = fieldsIn(listOf(operation['parameters']).map(resolved))
    if (fields !== undefined && !fieldsByTag.has(tagOf(operation))) fieldsByTag.set(tagOf(operation), fields)
  }
  return { resolved, fieldsByTag }
}

const tagOf = (operation: Json): unknown => listOf(operation['tags'])[0]

const fieldsIn = (parameters: readonly Json[]): readonly string[] | undefined => {
  const schema = parameters.find(({ name }) => name === 'fields')?.['schema']
  if (!isRecord(schema) || !isRecord(schema['items'])) return undefined
  return listOf(schema['items']['enum']).filter((name) => typeof name === 'string')
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
