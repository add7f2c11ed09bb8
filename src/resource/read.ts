import { rowOf } from '../model/kinds/index.ts'
import { type CountMode, isReadable, type Model } from '../model/model.ts'
import { quoted } from '../model/naming.ts'
import type { Operation, Parameter, Success } from '../operation/operation.ts'
import { skip, takePath } from '../operation/path.ts'
import { queryFields } from '../query/fields.ts'
import { defaultCount, defaultLimit } from '../query/list-query.ts'
import type { ListRules } from '../query/settings.ts'
import { exampleOf } from '../schema/example.ts'
import type { NamedSchema } from '../schema/json-schema.ts'
import { detailSuccess, operationOn } from './describe.ts'
import { shownPage, shownRow } from './files.ts'
import { pageText, readPage } from './page.ts'
import { enter, findPermitted, headReply, isHead, JSON_TYPE, jsonReply, readParameters } from './record.ts'
import type { Resource } from './resource.ts'

/** `GET /products/{id}` */
export const read = (resource: Resource): Operation => {
  const { model, media, serialiser } = resource
  const find = findPermitted(resource, 'get')
  return operationOn(resource, 'get', {
    success: detailSuccess(resource, 200, 'The record.'),
    run: takePath({
      mediaType: JSON_TYPE,
      ask: readParameters(model),
      enter: enter(resource, 'get'),
      find: skip,
      validate: skip,
      *act(key, _input, scoped) {
        const row = yield* find(key, scoped)
        return media === undefined ? row : yield* shownRow(resource, row)
      },
      reply: (row) => jsonReply(serialiser.record(row)),
    }),
  })
}

/** `GET /products/` */
export const list = (resource: Resource): Operation =>
  operationOn(resource, 'list', {
    parameters: listParameters(resource),
    success: pageSuccess(resource),
    problems: [
      'malformed_query',
      'query_too_long',
      'unknown_field',
      'invalid_operator',
      'invalid_value',
      'page_too_large',
    ],
    run: takePath({
      mediaType: JSON_TYPE,
      ask: ({ query }) => resource.parseList(query),
      enter: enter(resource, 'list'),
      find: skip,
      validate: skip,
      *act(parsed, _input, scoped) {
        const page = yield* readPage(resource, scoped, parsed)
        return resource.media === undefined || isHead(scoped.call) ? page : yield* shownPage(resource, page)
      },
      reply: (page, call) => (isHead(call) ? headReply : jsonReply(pageText(resource, page))),
    }),
  })

/** The reply of a list, for the documentation. */
const pageSuccess = (resource: Resource): Success => ({
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

/** The query parameters of a list (specification, 4.2). */
const listParameters = ({ model, rules }: Resource): readonly Parameter[] => [
  // No example: a page that sends requests would filter by it.
  queryParameter(
    'q',
    `Conditions joined by \`&\`, such as \`${exampleCondition(model)}\`. Fields: ${filterable(model).join(', ')}.`,
    { type: 'string' },
  ),
  ...searchParameter(model),
  queryParameter('sort', 'Field to sort by; repeat it for more, the later ones break ties.', {
    type: 'array',
    items: { type: 'string', enum: sortable(model) },
    maxItems: rules.maxSorts,
  }),
  queryParameter('order', 'Direction of the `sort` at the same position, `asc` where it is missing.', {
    type: 'array',
    items: { type: 'string', enum: ['asc', 'desc'] },
    maxItems: rules.maxSorts,
  }),
  {
    ...queryParameter('fields', `Fields that the items have, beside the key ${keyNames(model)}.`, {
      type: 'array',
      items: { type: 'string', enum: queryFields(model).names },
      minItems: 1,
    }),
    explode: false,
  },
  ...pagingParameters[rules.paging](rules),
  queryParameter(
    'count',
    `How to count all matching records, \`${defaultCount(model, rules.paging)}\` by default.`,
    {
      type: 'string',
      enum: model.count.allowed,
    },
  ),
]

const keyNames = ({ primaryKey }: Model): string => quoted(primaryKey)

/** Only where there is text to search. */
const searchParameter = (model: Model): readonly Parameter[] => {
  const names = queryFields(model).searched.map(({ field }) => `\`${field.name}\``)
  return names.length === 0
    ? []
    : [
        queryParameter('search', `Text that any of ${names.join(', ')} holds, in any case.`, {
          type: 'string',
          minLength: 1,
        }),
      ]
}

const queryParameter = (name: string, description: string, schema: Parameter['schema']): Parameter => ({
  name,
  in: 'query',
  required: false,
  description,
  schema,
})

const pagingParameters: Readonly<Record<ListRules['paging'], (rules: ListRules) => readonly Parameter[]>> = {
  'limit-offset': (rules) => [
    queryParameter('limit', 'How many records to return. 0 asks for the count alone.', {
      type: 'integer',
      minimum: 0,
      maximum: rules.maxLimit,
      default: defaultLimit(rules),
    }),
    queryParameter('offset', 'How many records to skip.', {
      type: 'integer',
      format: 'int64',
      minimum: 0,
      default: 0,
    }),
  ],
  'page-number': ({ perPage }) => [
    queryParameter('page', `Which page to return, ${perPage} records each.`, {
      type: 'integer',
      format: 'int64',
      minimum: 1,
      default: 1,
    }),
  ],
  cursor: (rules) => [
    queryParameter('cursor', 'The `next` of the page before. Repeat its q, search, sort and order.', {
      type: 'string',
    }),
    queryParameter('limit', 'How many records to return.', {
      type: 'integer',
      minimum: 1,
      maximum: rules.maxLimit,
      default: defaultLimit(rules),
    }),
  ],
}

const filterable = (model: Model): readonly string[] =>
  model.fields.filter(isReadable).map((field) => field.name)

const sortable = (model: Model): readonly string[] =>
  model.fields.filter((field) => isReadable(field) && rowOf(field).comparable).map((field) => field.name)

const exampleCondition = (model: Model): string => {
  const key = model.primaryKey[0] ?? ''
  const plain = model.fields.find((field) => isReadable(field) && field.kind === 'boolean')
  return plain === undefined ? `${key}!=null` : `${plain.name}=true`
}
