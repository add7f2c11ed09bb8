import { LRUCache } from 'lru-cache'
import type { CountMode } from '../model/model.ts'
import { plural } from '../model/naming.ts'
import type { Operation, Success } from '../operation/operation.ts'
import { noBody, nothing, takePath } from '../operation/path.ts'
import { type Steps, wait } from '../operation/steps.ts'
import type { Condition } from '../query/ast.ts'
import { type ListQuery, readListQuery } from '../query/list-query.ts'
import { exampleOf } from '../schema/example.ts'
import type { NamedSchema } from '../schema/named-schema.ts'
import type { Row } from '../source/source.ts'
import { operationOn } from './describe.ts'
import { listParameters } from './list-parameters.ts'
import { JSON_TYPE, json } from './replies.ts'
import type { Resource } from './resource.ts'

/** Queries that clients send again and again are read once. Entries hold at most `maxQueryBytes` of text each. */
const KEPT_QUERIES = 500

/** `GET /products/` */
export const list = (resource: Resource): Operation => {
  const { model, rules, serialiser } = resource
  const kept = new LRUCache<string, ListQuery>({ max: KEPT_QUERIES })
  const readQuery = (raw: string): ListQuery => {
    const known = kept.get(raw)
    if (known !== undefined) return known
    const query = readListQuery(raw, rules)
    kept.set(raw, query)
    return query
  }
  return operationOn(resource, {
    verb: 'list',
    method: 'GET',
    path: 'collection',
    summary: `List ${plural(model.name)}`,
    parameters: listParameters(resource),
    success: pageSuccess(resource),
    problems: [
      ...(['malformed_query', 'query_too_long', 'unknown_parameter', 'unknown_field'] as const),
      ...([
        'invalid_operator',
        'invalid_value',
        'not_acceptable',
        'unrepresentable_value',
        'unavailable',
      ] as const),
    ],
    run: takePath({
      mediaType: JSON_TYPE,
      ask: (call) => readQuery(call.query),
      find: nothing,
      validate: noBody,
      act: (query, _input, guard) => page(resource, query, guard),
      reply: ({ rows, count }) =>
        json(`{"items":${serialiser.list(rows)},"count":${count},"count_exact":${count !== null}}`),
    }),
  })
}

interface Page {
  readonly rows: readonly Row[]
  readonly count: number | null
}

function* page({ store }: Resource, { selection, count }: ListQuery, guard: Condition): Steps<Page> {
  const rows = selection.limit === 0 ? [] : yield* wait(store.list(selection, guard))
  const end = selection.offset + rows.length
  if (count === 'none') return { rows, count: null }
  if (pageTellsTotal(rows, selection)) return { rows, count: end }
  const total = yield* wait(store.count(selection.filter, guard))
  return { rows, count: Math.max(total, rows.length === 0 ? 0 : end) }
}

/** A page that is not full is the last one; an empty one says nothing unless it is the first. */
const pageTellsTotal = (rows: readonly Row[], { limit, offset }: ListQuery['selection']): boolean =>
  rows.length < limit && (rows.length > 0 || offset === 0)

const pageSuccess = (resource: Resource): Success => ({
  status: 200,
  description: 'One page of records.',
  mediaType: JSON_TYPE,
  schema: pageSchema(resource),
  example: { items: [exampleOf(resource.model, 'list')], ...exampleCount[resource.model.count.default] },
})

const exampleCount: Readonly<Record<CountMode, object>> = {
  exact: { count: 1, count_exact: true },
  none: { count: null, count_exact: false },
}

const pageSchema = ({ model, jsonSchemas }: Resource): NamedSchema => ({
  name: `${model.name}Page`,
  schema: {
    type: 'object',
    required: ['items', 'count', 'count_exact'],
    properties: {
      items: { type: 'array', items: { $ref: `#/components/schemas/${jsonSchemas.list.name}` } },
      count: {
        type: ['integer', 'null'],
        description: 'How many records match in all. Null: they were not counted.',
      },
      count_exact: { type: 'boolean', description: 'Whether `count` is exact.' },
    },
    additionalProperties: true,
  },
  uses: [jsonSchemas.list],
})
