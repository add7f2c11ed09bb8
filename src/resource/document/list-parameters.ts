import type { JsonSchema } from '../../model/codec.ts'
import { isConfusable, rowOf } from '../../model/kinds/index.ts'
import { type Field, isReadable, type Model, type Relation } from '../../model/model.ts'
import { quoted } from '../../model/naming.ts'
import { ownValue } from '../../model/objects.ts'
import type { PaginationType, PaginationTypes } from '../../model/pagination.ts'
import type { Parameter } from '../../operation/operation.ts'
import { fieldsByComparability } from '../../query/explained.ts'
import { queryFields } from '../../query/fields.ts'
import { defaultCount, defaultLimit } from '../../query/list-query.ts'
import { parameterNames } from '../../query/parameters.ts'
import { type ListRules, showsCount } from '../../query/settings.ts'
import type { Envelope } from '../../schema/envelope.ts'
import { exampleOf } from '../../schema/example.ts'
import type { Bodies, Resource, Rules } from '../parts/resource.ts'

/** The query parameters of a list, for the documentation. */
export const listParameters = (rules: Rules, { computed, envelope }: Bodies): readonly Parameter[] => {
  const { model, relations } = rules
  const { sortable } = queryFields(model)
  const each = (values?: readonly string[]): JsonSchema => ({
    type: 'array',
    items: { type: 'string', ...(values && { enum: values }) },
    maxItems: rules.maxSorts,
  })
  const sortedRelated = relatedFields(
    rules,
    relations.filter(({ kind }) => rules.relatedSort && kind === 'to-one'),
  )
  const sort = 'Field to sort by. Repeat `sort` to add more fields, which break ties.'
  return [
    ...conditionParameters(rules),
    sortedRelated === ''
      ? query('sort', sort, each(sortable))
      : query('sort', `${sort} Fields: ${sortable.join(', ')}.${sortedRelated}`, each()),
    query('order', 'Direction of the `sort` at the same position. Default: `asc`.', each(['asc', 'desc'])),
    fieldsParameter(model, computed),
    ...includeParameters(rules),
    ...deletedParameters(model),
    ...pagingParameters(rules, envelope),
    ...countParameters(rules),
  ]
}

const fieldsParameter = (model: Model, computed: Bodies['computed']): Parameter => ({
  ...query(
    'fields',
    `Fields to return${model.primaryKey.length > 0 ? `, in addition to the key ${quoted(model.primaryKey)}` : ''}.`,
    {
      type: 'array',
      items: { type: 'string', enum: [...queryFields(model).names, ...computed.map(({ name }) => name)] },
      minItems: 1,
    },
  ),
  explode: false,
})

/** The query parameters of a single record. */
export const detailParameters = ({
  model,
  rules,
  bodies: { computed },
}: Pick<Resource, 'model' | 'rules' | 'bodies'>): readonly Parameter[] => [
  ...(model.detailFields === true ? [fieldsParameter(model, computed)] : []),
  ...includeParameters(rules),
  ...deletedParameters(model),
]

/** The query parameters that select records. */
export const conditionParameters = (rules: Rules): readonly Parameter[] => {
  const { model, relations } = rules
  const example = exampleCondition(model)
  const groups = fieldsByComparability(model)
    .map(([{ label }, fields]) => `${label}: ${quoted(fields.map(({ field }) => field.name))}.`)
    .join(' ')
  const alike = comparesAlike(rules) ? ALIKE : ''
  const description = `Conditions joined by \`&\`, such as \`${example}\`. ${groups}${relatedFields(rules, relations)}${alike}`
  const searched = queryFields(model).searched.map(({ field }) => field.name)
  return [
    // Not an example, because documentation pages would prefill it as a filter.
    { ...text('q', description), 'x-placeholder': example },
    filterParameter,
    ...(searched.length === 0
      ? []
      : [text('search', `Text to find in ${quoted(searched)}, ignoring case.`, { minLength: 1 })]),
  ]
}

const ALIKE = ' The database decides which strings are equal, usually ignoring case.'

const comparesAlike = ({ exactText, model: { fields } }: Rules): boolean =>
  !exactText && fields.some((field) => isReadable(field) && rowOf(field).comparable && isConfusable(field))

/** How to name the fields of related records, with an example. Empty without relations. */
const relatedFields = ({ model, relationsOf }: Rules, relations: readonly Relation[]): string => {
  const [first] = relations
  const target = first && relationsOf(model).get(first.name)?.target
  if (target === undefined) return ''
  const field = target.fields.find((each) => isReadable(each) && !target.primaryKey.includes(each.name))
  const example = `${first?.name}.${field?.name ?? target.primaryKey[0]}`
  return ` Fields of related records: write the relation first, such as \`${example}\`. Relations: ${relations.map(({ name }) => name).join(', ')}.`
}

/** `include`, for a model that has relations. */
const includeParameters = ({ model, relations, counted }: Rules): readonly Parameter[] => {
  const [first] = relations
  if (first === undefined) return []
  const many = relations.find(({ kind }) => kind === 'to-many')
  const names = relations.map(({ name }) => `\`${name}\``).join(', ')
  const options =
    many === undefined
      ? ''
      : ` Options stand in parentheses: \`${many.name}(limit=5${counted?.related === false ? '' : ';count=exact'})\`.`
  const { include = [] } = model
  const byDefault = include.length === 0 ? '' : ` Default: \`${include.join(',')}\`.`
  return [
    {
      ...text(
        'include',
        `Relations whose records are returned with each record, separated by commas. A dot leads on to the relations of a related record. Relations: ${names}.${options}${byDefault}`,
      ),
      'x-placeholder': first.name,
    },
  ]
}

/** `deleted`, for a model with soft deletion. */
const deletedParameters = ({ softDelete }: Model): readonly Parameter[] =>
  softDelete === undefined
    ? []
    : [
        text(
          'deleted',
          'Shows deleted records, to callers who may see them: only those, or all records with them.',
          { enum: ['only', 'with'] },
        ),
      ]

export const query = (name: string, description: string, schema: JsonSchema): Parameter => ({
  name,
  in: 'query',
  required: false,
  description,
  schema,
})

export const text = (name: string, description: string, rules: JsonSchema = {}): Parameter =>
  query(name, description, { type: 'string', ...rules })

export const integer = (name: string, description: string, rules: JsonSchema): Parameter =>
  query(name, description, { type: 'integer', ...rules })

/**
 * `?status=open` for clients that only send parameters of the document, which cannot have one for each field: many
 * generators put all parameters into the signature of a function. It is the same for every model, so the document has
 * it once, and names no fields, because several generators then send `filter={…}` or `filter[status]=open`.
 */
const filterParameter: Parameter = Object.freeze(
  query(
    'filter',
    'Conditions, each sent as a parameter of its own: `{"status":"open"}` sends `status=open`. `filter` itself is never sent.',
    { type: 'object', additionalProperties: { type: 'string' } },
  ),
)

const countParameters = (rules: ListRules): readonly Parameter[] => {
  const counted = rules.paging.filter((type) => showsCount(rules, type))
  const [usual, ...others] = counted
  if (usual === undefined) return []
  const only = counted.length === rules.paging.length ? '' : ` Only with ${counted.join(' and ')} pages.`
  const count = defaultCount(rules, usual)
  const different = others.filter((type) => defaultCount(rules, type) !== count)
  const more = different.map((type) => `, and \`${defaultCount(rules, type)}\` with ${type} pages`)
  return [
    text('count', `How to count the matching records. Default: \`${count}\`${more.join('')}.${only}`, {
      enum: rules.model.count.allowed,
    }),
  ]
}

/** The parameters of all types of pages that a list has, each once. */
const pagingParameters = (rules: ListRules, { next }: Envelope): readonly Parameter[] => {
  const all = rules.paging.flatMap((type) => parametersOf[type](rules, notWith(type, rules.paging), next))
  return all.filter(({ name }, at) => all.findIndex((other) => other.name === name) === at)
}

/** Names the parameters of the other types of pages. Empty: there are none. */
const notWith = (type: PaginationType, types: PaginationTypes): string => {
  const own = parameterNames[type]
  const wrong = [...new Set(types.flatMap((type) => parameterNames[type]))].filter(
    (name) => !own.includes(name),
  )
  return wrong.length === 0 ? '' : ` Not together with ${quoted(wrong)}.`
}

type ParametersOf = (rules: ListRules, notWith: string, next: string) => readonly Parameter[]

const parametersOf: Readonly<Record<PaginationType, ParametersOf>> = {
  'limit-offset': (rules, others) => [
    limitParameter(rules),
    integer('offset', `The number of records to skip.${others}`, {
      ...{ format: 'int64', minimum: 0 },
      ...(rules.paging[0] === 'limit-offset' && { default: 0 }),
    }),
  ],
  'page-number': ({ paging, perPage }, others) => [
    integer('page', `The page to return. A page has ${perPage} records.${others}`, {
      ...{ format: 'int64', minimum: 1 },
      ...(paging[0] === 'page-number' && { default: 1 }),
    }),
  ],
  cursor: (rules, others, next) => {
    const first = others === '' ? '' : ' Empty: the first page.'
    return [
      text(
        'cursor',
        `The \`${next}\` of the previous page. Send the same \`q\`, \`search\`, \`sort\` and \`order\` with it.${first}${others}`,
      ),
      limitParameter(rules),
    ]
  },
}

const limitParameter = (rules: ListRules): Parameter => {
  const { paging, maxLimit } = rules
  const hasOffset = paging.includes('limit-offset')
  const none =
    hasOffset && showsCount(rules, 'limit-offset') ? ' With 0, the response has only the count.' : ''
  const least = hasOffset && paging.includes('cursor') ? ' With `cursor`, at least 1.' : ''
  return integer('limit', `How many records to return.${none}${least}`, {
    ...{ minimum: hasOffset ? 0 : 1, maximum: maxLimit },
    ...(paging[0] !== 'page-number' && { default: defaultLimit(rules) }),
  })
}

/** One that few records meet, because many are changed and deleted by a filter, too. */
const exampleCondition = (model: Model): string => {
  const { primaryKey, fields } = model
  const isComparable = (field: Field): boolean => isReadable(field) && rowOf(field).comparable
  const plain = fields.find((field) => isComparable(field) && field.kind === 'boolean')
  if (plain !== undefined) return `${plain.name}=true`
  const [key = fields.find(isReadable)?.name ?? ''] = primaryKey
  const value = ownValue(exampleOf(model, 'detail'), key)
  if (value === undefined || !fields.some((field) => field.name === key && isComparable(field)))
    return `${key}!=null`
  return `${key}==${typeof value === 'string' ? JSON.stringify(value) : value}`
}
