import type { CountMode } from '../model/model.ts'
import type { Success } from '../operation/operation.ts'
import { defaultCount } from '../query/count.ts'
import { exampleOf } from '../schema/example.ts'
import type { NamedSchema } from '../schema/named-schema.ts'
import { JSON_TYPE } from './replies.ts'
import type { Resource } from './resource.ts'

/** The reply of a list, for the documentation. */
export const pageSuccess = (resource: Resource): Success => ({
  status: 200,
  description: 'One page of records.',
  mediaType: JSON_TYPE,
  schema: pageSchema(resource),
  get example() {
    return {
      items: [exampleOf(resource.model, 'list')],
      ...exampleCount[defaultCount(resource.model, resource.rules.paging)],
    }
  },
})

const exampleCount: Readonly<Record<CountMode, object>> = {
  exact: { count: 1, count_exact: true },
  estimated: { count: 1, count_exact: true },
  none: { count: null, count_exact: false },
}

const nextSchema = {
  type: ['string', 'null'],
  description: 'The `cursor` of the next page, for the same q, search, sort and order. Null: there is none.',
}

const pageSchema = ({ model, jsonSchemas, rules }: Resource): NamedSchema => ({
  name: `${model.name}Page`,
  schema: {
    type: 'object',
    required: ['items', 'count', 'count_exact', ...(rules.paging === 'cursor' ? ['next'] : [])],
    properties: {
      items: { type: 'array', items: { $ref: `#/components/schemas/${jsonSchemas.list.name}` } },
      count: {
        type: ['integer', 'null'],
        format: 'int64',
        description: 'How many records match in all. Null: they were not counted.',
      },
      count_exact: { type: 'boolean', description: 'Whether `count` is exact.' },
      ...(rules.paging === 'cursor' && { next: nextSchema }),
    },
    additionalProperties: true,
  },
  uses: [jsonSchemas.list],
})
