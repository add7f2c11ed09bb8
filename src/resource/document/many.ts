import type { ProblemCode } from '../../error/codes.ts'
import type { JsonSchema } from '../../model/codec.ts'
import { ownValue } from '../../model/objects.ts'
import { takesFilters } from '../../model/operations.ts'
import type { BodyShape, Parameter, Success } from '../../operation/operation.ts'
import { queryProblems } from '../../operation/refusals.ts'
import type { BulkRequest } from '../../query/bulk.ts'
import { type NamedSchema, propertiesOf } from '../../schema/json-schema.ts'
import type { Resource, Rules } from '../parts/resource.ts'
import { JSON_TYPE } from '../show/replies.ts'
import type { Act } from './describe.ts'
import { conditionParameters } from './list-parameters.ts'
import { writtenSuccess } from './responses.ts'

/** The problems of a body that is an array. */
const arrayProblems: readonly ProblemCode[] = ['no_records', 'too_many_records']

export const arrayOf = ({ name }: NamedSchema, bounds: JsonSchema = {}): JsonSchema => ({
  type: 'array',
  items: { $ref: `#/components/schemas/${name}` },
  ...bounds,
})

/** One of two forms of a body or response. */
export const either = (
  one: NamedSchema,
  array: NamedSchema,
  name: string,
  bounds?: JsonSchema,
): NamedSchema => ({
  name,
  schema: { oneOf: [{ $ref: `#/components/schemas/${one.name}` }, arrayOf(array, bounds)] },
  uses: one === array ? [one] : [one, array],
})

/** A create whose body may be an array as well. */
export const creatingDescribed = (resource: Pick<Resource, 'model' | 'bodies' | 'rules'>, act: Act): Act => {
  const { model } = resource
  const { body, success } = act
  return {
    ...act,
    ...(body && { body: withArrays(resource, body) }),
    success: shownArrays(success, `${model.name}OrMany`),
    problems: [...(act.problems ?? []), ...arrayProblems],
  }
}

const withArrays = (
  { model, bodies: { jsonSchemas }, rules: { bulkMax } }: Pick<Resource, 'model' | 'bodies' | 'rules'>,
  body: BodyShape,
): BodyShape => {
  // The elements of an array do not write related records.
  const element =
    model.write === undefined ? body.schema : { ...jsonSchemas.create, name: `${model.name}CreateElement` }
  const bounds = { minItems: 1, maxItems: bulkMax }
  return { ...body, schema: either(body.schema, element, `${model.name}CreateOrMany`, bounds) }
}

const shownArrays = ({ schema, headers: _one, ...success }: Success, name: string): Success => ({
  ...success,
  ...(schema && { schema: either(schema, schema, name) }),
})

/** The response to a write with a filter. */
export const countText = (count: number, { isDryRun }: BulkRequest): string =>
  JSON.stringify({ count, dry_run: isDryRun })

const countSchema: NamedSchema = Object.freeze({
  name: 'BulkResult',
  schema: Object.freeze({
    type: 'object',
    required: ['count', 'dry_run'],
    properties: {
      count: { type: 'integer', description: 'The number of records that match, which were written.' },
      dry_run: { type: 'boolean', description: 'Whether the records were only counted.' },
    },
    additionalProperties: true,
  }),
})

const filterProblems: readonly ProblemCode[] = [...queryProblems, 'filter_required', 'too_many_records']

const filterParameters = (rules: Rules): readonly Parameter[] => [
  ...conditionParameters(rules),
  {
    ...{ name: 'dry_run', in: 'query', required: false, schema: { type: 'boolean', default: false } },
    description: 'Whether the records are only counted. Nothing is written.',
  },
]

/** The body of `PATCH` on many records. */
export const updatingBody = ({
  model,
  bodies: { jsonSchemas },
  rules: { bodyBounds, bulkMax },
}: Pick<Resource, 'model' | 'bodies' | 'rules'>): BodyShape => {
  const { update, detail } = jsonSchemas
  const keys = model.primaryKey.map((name) => {
    // Clients leave out what is read-only, but an element needs its key.
    const { readOnly: _shown, ...key } = Object(ownValue(propertiesOf(detail.schema), name)) as JsonSchema
    return [name, key] as const
  })
  const element: NamedSchema = {
    name: `${model.name}UpdateElement`,
    schema: {
      ...update.schema,
      required: model.primaryKey,
      properties: { ...propertiesOf(update.schema), ...Object.fromEntries(keys) },
    },
    uses: update.uses ?? [],
  }
  const [name, bounds] = [`${model.name}UpdateMany`, { minItems: 1, maxItems: bulkMax }]
  return {
    ...{ mediaTypes: [JSON_TYPE], required: true, ...bodyBounds },
    schema: takesFilters(model)
      ? either(update, element, name, bounds)
      : { name, schema: arrayOf(element, bounds), uses: [element] },
  }
}

export const updatingDescribed = (
  resource: Pick<Resource, 'model' | 'access' | 'bodies' | 'rules'>,
): Omit<Act, 'run' | 'body'> => {
  const { model } = resource
  const { jsonSchemas } = resource.bodies
  const { detail } = jsonSchemas
  const name = `${model.name}UpdatedMany`
  const success = { status: 200, mediaType: JSON_TYPE } as const
  const { withheld } = writtenSuccess(resource, 'update')
  if (!takesFilters(model))
    return {
      problems: [...arrayProblems, 'page_too_large'],
      success: {
        ...{ ...success, description: 'The stored records.' },
        schema: { name, schema: arrayOf(detail), uses: [detail] },
      },
      ...(withheld && { withheld }),
    }
  const description = 'The stored records of an array, or the number of records that match the filter.'
  return {
    parameters: filterParameters(resource.rules),
    problems: [...arrayProblems, ...filterProblems],
    success: { ...success, description, schema: either(countSchema, detail, name) },
    ...(withheld && { withheld }),
  }
}

export const deletingDescribed = (rules: Rules): Omit<Act, 'run'> => ({
  parameters: filterParameters(rules),
  problems: [...filterProblems, 'still_referenced'],
  success: {
    status: 200,
    description: 'The number of records that match the filter.',
    mediaType: JSON_TYPE,
    schema: countSchema,
    example: { count: 1, dry_run: false },
  },
})
