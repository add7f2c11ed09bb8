import type { ScopedCall } from '../../controller/scope.ts'
import { problem } from '../../error/errors.ts'
import { Unrepresentable } from '../../model/codec.ts'
import { kinds } from '../../model/kinds/index.ts'
import { type Field, fieldOf, type Model } from '../../model/model.ts'
import { ownValue } from '../../model/objects.ts'
import { hasOperation } from '../../model/operations.ts'
import { skip, takePath } from '../../operation/path.ts'
import { queryProblems } from '../../operation/refusals.ts'
import { type Steps, wait } from '../../operation/steps.ts'
import type { AggregationRequest } from '../../query/aggregate.ts'
import { type Aggregate, columnName, type Grouping } from '../../query/ast.ts'
import { refuse } from '../../query/parameters.ts'
import { relatedModels, withGuards } from '../../query/related.ts'
import type { NamedSchema } from '../../schema/json-schema.ts'
import { jsonPage } from '../../schema/serialiser.ts'
import { totalBytes } from '../../source/sizing.ts'
import { type Awaitable, type Row, SourceError } from '../../source/source.ts'
import { aggregateParameters } from '../document/aggregate-parameters.ts'
import type { Act } from '../document/describe.ts'
import { enter } from '../parts/record.ts'
import { heldAdmits } from '../parts/records.ts'
import type { Resource } from '../parts/resource.ts'
import { JSON_TYPE, readReply } from '../show/replies.ts'

/** What an aggregation needs of a model. */
type Aggregated = Pick<Resource, 'model' | 'access' | 'records' | 'bodies' | 'rules'>

/** `GET /orders/aggregate`: groups of records, with counts, sums and other functions of each. */
export const aggregating = (resource: Aggregated): Act => {
  const { model, access, rules } = resource
  const { items } = resource.bodies.envelope
  return {
    // Its path is that of a record, whose operation passes the request on.
    ...(hasOperation(model, 'read') && { isInstead: true as const }),
    success: {
      status: 200,
      description: 'One item for each group.',
      mediaType: JSON_TYPE,
      schema: aggregatesSchema(model, items),
      example: { [items]: [{ count: 1 }], has_more: false },
    },
    parameters: aggregateParameters(rules),
    touches: { uses: (query) => rules.parseAggregation(query).uses },
    problems: queryProblems,
    run: takePath({
      mediaType: JSON_TYPE,
      ask: ({ query }) => rules.parseAggregation(query),
      enter: enter(access, 'list'),
      find: skip,
      validate: skip,
      act: (aggregation, _input, scoped) => readGroups(resource, scoped, aggregation),
      reply: (text, call) => readReply(call, () => text),
    }),
  }
}

function* readGroups(
  { model, access, records, bodies, rules }: Aggregated,
  scoped: ScopedCall,
  aggregation: AggregationRequest,
): Steps<string> {
  const { pageBytes } = records
  const reach = yield* access.reach(scoped, relatedModels(aggregation, rules))
  const { limit, filter, groups, aggregates } = aggregation
  const wanted = {
    ...aggregation,
    filter: withGuards(filter, model, reach),
    limit: limit + 1,
  }
  let bytes = 0
  const admits = heldAdmits(records, scoped.call, (sizes) => {
    const shown = sizes.slice(0, limit)
    // A client cannot request less than one group.
    bytes = shown.length <= 1 ? 0 : totalBytes(shown)
    return bytes <= pageBytes
  })
  const rows = yield* summed(() => records.page(scoped).aggregate(scoped, wanted, admits))
  if (bytes > pageBytes) throw tooLarge(pageBytes)
  const columns = [...groups, ...aggregates].map((column) => ({
    name: columnName(column),
    write: writerOf(model, column),
  }))
  const writing = { toJson: (row: Row) => itemOf(model, columns, row), weigh: () => 0 }
  const shell = { items: bodies.envelope.items, rest: { has_more: rows.length > limit } }
  const text = jsonPage(rows.slice(0, limit), writing, shell, pageBytes)
  if (text === undefined) throw tooLarge(pageBytes)
  return text
}

/** @throws HttpError 400 for a field whose values the source cannot sum, 500 for a result that no number can have */
function* summed(read: () => Awaitable<readonly Row[] | undefined>): Steps<readonly Row[]> {
  try {
    return (yield* wait(read())) ?? []
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    if (error.kind === 'value' && error.fields.length === 0)
      throw problem('unrepresentable_value', 'The result has a value beyond the range of its type.', {
        cause: error,
      })
    if (error.kind !== 'type') throw error
    const names = error.fields.join(', ')
    throw refuse('invalid_operator', 'aggregate', `The database cannot sum the values of ${names} exactly.`)
  }
}

const tooLarge = (most: number): Error =>
  problem(
    'page_too_large',
    `The groups are larger than ${most} bytes. Set a smaller limit, or request fewer columns.`,
  )

interface Column {
  readonly name: string
  readonly write: (value: unknown) => unknown
}

const itemOf = (model: Model, columns: readonly Column[], row: Row): object =>
  Object.fromEntries(
    columns.map(({ name, write }) => {
      const value = ownValue(row, name) ?? null
      try {
        return [name, value === null ? null : write(value)]
      } catch (error) {
        const cause = new Unrepresentable(`${model.name}, column ${name}`, { cause: error })
        throw problem('unrepresentable_value', `A value of ${name} cannot be returned exactly.`, { cause })
      }
    }),
  )

const asIs = (value: unknown): unknown => value

const writerOf = (model: Model, column: Aggregate | Grouping): Column['write'] => {
  const field = column.field === undefined ? undefined : fieldOf(model, column.field)
  if (field === undefined) return asIs
  if ('fn' in column) return functionWriters[column.fn](field)
  return column.part === undefined ? valueWriter(field) : asIs
}

const valueWriter =
  (field: Field): Column['write'] =>
  (value) =>
    kinds[field.kind].write(value, field)

const finite = (value: unknown): unknown => {
  if (typeof value !== 'number' || Number.isFinite(value)) return value
  throw new Unrepresentable('a number that is not finite')
}

/** Sums of 64-bit integers are strings, as their fields are. */
const sumWriter = ({ kind }: Field): Column['write'] => {
  if (kind !== 'integer') return (value) => (typeof value === 'bigint' ? String(value) : finite(value))
  return (value) => {
    const sum = Number(value)
    if (Number.isSafeInteger(sum)) return sum
    throw new Unrepresentable('a sum that JavaScript cannot represent exactly')
  }
}

const functionWriters: Readonly<Record<Aggregate['fn'], (field: Field) => Column['write']>> = {
  count: () => asIs,
  count_distinct: () => asIs,
  sum: sumWriter,
  avg: () => finite,
  min: valueWriter,
  max: valueWriter,
}

const aggregatesSchema = ({ name }: Model, items: string): NamedSchema => ({
  name: `${name}Aggregates`,
  schema: {
    type: 'object',
    required: [items, 'has_more'],
    properties: {
      [items]: {
        type: 'array',
        items: { type: 'object', additionalProperties: true },
        description:
          'One object for each group, with a member for each field of `group` and each function: `status`, `month_created_at`, `count`, `sum_total`.',
      },
      has_more: { type: 'boolean', description: 'Whether there are more groups than `limit`.' },
    },
    additionalProperties: true,
  },
  uses: [],
})
