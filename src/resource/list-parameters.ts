import { rowOf } from '../model/kinds.ts'
import { isReadable, type Model } from '../model/model.ts'
import { quoted } from '../model/naming.ts'
import type { Parameter } from '../operation/operation.ts'
import { defaultCount } from '../query/count.ts'
import { queryFields } from '../query/fields.ts'
import { defaultLimit } from '../query/page.ts'
import type { ListRules } from '../query/rules.ts'
import type { Resource } from './resource.ts'

/** The query parameters of a list (specification, 4.2). */
export const listParameters = ({ model, rules }: Resource): readonly Parameter[] => [
  // No example: a page that sends requests would filter by it.
  query(
    'q',
    `Conditions joined by \`&\`, such as \`${exampleCondition(model)}\`. Fields: ${filterable(model).join(', ')}.`,
    { type: 'string' },
  ),
  ...searchParameter(model),
  query('sort', 'Field to sort by; repeat it for more, the later ones break ties.', {
    type: 'array',
    items: { type: 'string', enum: sortable(model) },
    maxItems: rules.maxSorts,
  }),
  query('order', 'Direction of the `sort` at the same position, `asc` where it is missing.', {
    type: 'array',
    items: { type: 'string', enum: ['asc', 'desc'] },
    maxItems: rules.maxSorts,
  }),
  {
    ...query('fields', `Fields that the items have, beside the key ${key(model)}.`, {
      type: 'array',
      items: { type: 'string', enum: queryFields(model).names },
      minItems: 1,
    }),
    explode: false,
  },
  ...pagingParameters[rules.paging](rules),
  query('count', `How to count all matching records, \`${defaultCount(model, rules.paging)}\` by default.`, {
    type: 'string',
    enum: model.count.allowed,
  }),
]

const key = ({ primaryKey }: Model): string => quoted(primaryKey)

/** Only where there is text to search. */
const searchParameter = (model: Model): readonly Parameter[] => {
  const names = queryFields(model).searched.map(({ field }) => `\`${field.name}\``)
  return names.length === 0
    ? []
    : [
        query('search', `Text that any of ${names.join(', ')} holds, in any case.`, {
          type: 'string',
          minLength: 1,
        }),
      ]
}

const query = (name: string, description: string, schema: Parameter['schema']): Parameter => ({
  name,
  in: 'query',
  required: false,
  description,
  schema,
})

const pagingParameters: Readonly<Record<ListRules['paging'], (rules: ListRules) => readonly Parameter[]>> = {
  'limit-offset': (rules) => [
    query('limit', 'How many records to return. 0 asks for the count alone.', {
      type: 'integer',
      minimum: 0,
      maximum: rules.maxLimit,
      default: defaultLimit(rules),
    }),
    query('offset', 'How many records to skip.', {
      type: 'integer',
      format: 'int64',
      minimum: 0,
      default: 0,
    }),
  ],
  'page-number': ({ perPage }) => [
    query('page', `Which page to return, ${perPage} records each.`, {
      type: 'integer',
      format: 'int64',
      minimum: 1,
      default: 1,
    }),
  ],
  cursor: (rules) => [
    query('cursor', 'The `next` of the page before. Repeat its q, search, sort and order.', {
      type: 'string',
    }),
    query('limit', 'How many records to return.', {
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
