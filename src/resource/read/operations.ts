import { hookContext, recordBy, runHook } from '../../controller/hooks.ts'
import type { ScopedCall } from '../../controller/scope.ts'
import type { CountMode } from '../../model/model.ts'
import { onceFor } from '../../model/objects.ts'
import { hasOperation } from '../../model/operations.ts'
import type { Call } from '../../operation/call.ts'
import { isHead } from '../../operation/methods.ts'
import type { Operation, Success } from '../../operation/operation.ts'
import { skip, takePath } from '../../operation/path.ts'
import { sentTags } from '../../operation/preconditions.ts'
import { queryProblems } from '../../operation/refusals.ts'
import type { Steps } from '../../operation/steps.ts'
import { both, type Condition } from '../../query/ast.ts'
import { defaultCount } from '../../query/list-query.ts'
import type { NamedSchema } from '../../schema/json-schema.ts'
import type { Row } from '../../source/source.ts'
import { unchanged } from '../document/conditions.ts'
import { withheldSentence } from '../document/default-include.ts'
import { type Act, detailSuccess, operationOn, recordExample } from '../document/describe.ts'
import { deletedParameters, includeParameters, listParameters } from '../document/list-parameters.ts'
import { shownTo } from '../parts/deleted.ts'
import { enter, findPermitted, isReadHooked, keyReader, noSuchRecord, unscoped } from '../parts/record.ts'
import type { Resource } from '../parts/resource.ts'
import { touching } from '../parts/touched.ts'
import { shownPage, shownWithUrls } from '../show/files.ts'
import { includedMembers, includingOf } from '../show/include.ts'
import { presentedRecord } from '../show/presenting.ts'
import { openReach, type Reach, reachOf } from '../show/reach.ts'
import { detailReply, JSON_TYPE, readReply, recordText, type Shown } from '../show/replies.ts'
import { aggregate } from './aggregate.ts'
import { pageText, readPage } from './page.ts'

/** Those of the parameter `deleted`. */
const deletionProblems = ['invalid_value', 'unauthenticated', 'forbidden'] as const

export const read = (resource: Resource): Operation => {
  const { model } = resource
  const { source } = resource.records
  const detail = detailIn(resource)
  const readKey = keyReader(model)
  const findIn = onceFor((seen: Resource) => findPermitted(seen, 'get'))
  const isAggregated = source.capabilities.aggregates === true && hasOperation(model, 'list')
  const aggregating = isAggregated ? aggregate(resource) : undefined
  return operationOn(resource, 'get', {
    // A record with this key can be reached with any part of it percent-encoded.
    ...(aggregating && { instead: aggregating }),
    parameters: [...includeParameters(resource.rules), ...deletedParameters(model)],
    models: modelsShown(resource),
    problems: [
      ...(resource.rules.relations.length === 0 ? [] : queryProblems),
      ...(model.softDelete === undefined ? [] : deletionProblems),
    ],
    success: detailSuccess(resource, 200, `The record.${withheldSentence(resource)}`),
    unchanged,
    run: takePath({
      mediaType: JSON_TYPE,
      ask(call) {
        if (call.header('if-none-match') !== undefined) sentTags(call, 'if-none-match')
        return { key: readKey(call.params['id']), query: resource.rules.parseDetail(call.query) }
      },
      enter: enter(resource, 'get'),
      find: skip,
      validate: skip,
      *act({ key, query }, _input, scoped) {
        const reach = query.uses.length === 0 ? openReach : yield* reachOf(resource, scoped, query.uses)
        const { deleted } = query
        const seen = deleted === undefined ? resource : yield* shownTo(resource, scoped, deleted)
        const row = yield* findIn(seen)(key, scoped)
        return yield* detail(row, { query, reach, seen, scoped })
      },
      reply: ({ shown, isWhole }, call) => detailReply(resource, shown, call, isWhole),
    }),
  })
}

/** The models of the records that a response with one record contains. */
export const modelsShown = (resource: Resource): ReturnType<typeof touching> =>
  touching(resource, { uses: (query) => resource.rules.parseDetail(query).uses })

interface Seeing {
  readonly query: ReturnType<Resource['rules']['parseDetail']>
  readonly reach: Reach
  /** The resource that shows deleted records too, if the client asked for them. */
  readonly seen: Resource
  readonly scoped: ScopedCall
}

/** Shows a record as its endpoint does, after hooks, computed fields, files and includes. */
const detailIn = (resource: Resource) => {
  const { media } = resource.bodies
  const isHooked = isReadHooked(resource)
  return function* (row: Row, { query, reach, seen, scoped }: Seeing) {
    const made = isHooked ? yield* afterRead(resource, row, scoped) : { record: row, shown: row }
    const shown = media === undefined ? made : yield* shownWithUrls(resource, made)
    const isEmpty = isHead(scoped.call)
    const isWhole = !isEmpty || (query.include.length === 0 && resource.bodies.computed.length === 0)
    if (query.include.length === 0 || isEmpty) return { shown, isWhole }
    const include = reach.listed(query.include)
    // As the record itself: a replica may lag behind it.
    const inside = includingOf(seen, { scoped, reach, from: 'stored' })
    const [members] = yield* includedMembers(seen, [row], include, inside)
    return { shown: { ...shown, members: { ...shown.members, ...members } }, isWhole }
  }
}

/**
 * The JSON of a record that the caller gets from another endpoint, as the endpoint of the record shows it without parameters. The
 * caller may read it already: neither the scope nor the permission is asked.
 *
 * @throws HttpError 404 if `present` leaves it out, and errors of hooks
 */
export function* recordShown(resource: Resource, row: Row, call: Call): Steps<string> {
  const scoped = unscoped(call)
  const query = resource.rules.parseDetail('')
  const reach = query.uses.length === 0 ? openReach : yield* reachOf(resource, scoped, query.uses)
  const { shown } = yield* detailIn(resource)(row, { query, reach, seen: resource, scoped })
  const text = recordText(resource, shown)
  if (text === undefined) throw noSuchRecord(resource.model)
  return text
}

/** What hooks and computed fields make of a single record. @throws HttpError 404 if `present` leaves it out */
function* afterRead(resource: Resource, row: Row, scoped: ScopedCall): Steps<Shown> {
  const { model } = resource
  const { controller } = resource.access
  const { source } = resource.records
  const { call } = scoped
  const given = yield* runHook(controller, 'afterRead', call, (hook) =>
    hook(call.request, { ...row }, hookContext(source, call)),
  )
  const read = given === undefined ? row : recordBy(resource.access, 'afterRead', call, given)
  const made = yield* presentedRecord(resource, { record: row, shown: read }, scoped)
  if (made.shown === undefined) throw noSuchRecord(model)
  return made
}

export const list = (resource: Resource): Operation => operationOn(resource, 'list', listing(resource))

/**
 * @param below finds the record whose related records are listed, and returns a condition that holds for them. @default all
 * records are listed
 * @param always the models that `below` reads
 */
export const listing = (
  resource: Resource,
  below?: (scoped: ScopedCall) => Steps<Condition>,
  always: readonly string[] = [],
): Act => ({
  parameters: listParameters(resource),
  models: touching(resource, { uses: (query) => resource.rules.parseList(query).request.uses, always }),
  success: pageSuccess(resource),
  problems: [...queryProblems, ...(resource.model.softDelete === undefined ? [] : deletionProblems)],
  run: takePath({
    mediaType: JSON_TYPE,
    ask: ({ query }) => resource.rules.parseList(query),
    enter: enter(resource, 'list'),
    find: skip,
    validate: skip,
    *act(parsed, _input, scoped) {
      if (below !== undefined) scoped.guard = both(scoped.guard, yield* below(scoped))
      const { deleted } = parsed.request
      const seen = deleted === undefined ? resource : yield* shownTo(resource, scoped, deleted)
      const page = yield* readPage(seen, scoped, parsed)
      return resource.bodies.media === undefined || isHead(scoped.call)
        ? page
        : yield* shownPage(resource, page)
    },
    reply: (page, call) => readReply(call, () => pageText(resource, page)),
  }),
})

const pageSuccess = (resource: Resource): Success => ({
  status: 200,
  description: `A page of records.${withheldSentence(resource)}`,
  mediaType: JSON_TYPE,
  schema: pageSchema(resource),
  get example() {
    return {
      items: [recordExample(resource, 'list')],
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
  description:
    'The `cursor` of the next page, for the same `q`, `search`, `sort` and `order`. Null: this is the last page.',
}

const pageSchema = ({
  model,
  rules,
  bodies: { pageItem },
}: Pick<Resource, 'model' | 'bodies' | 'rules'>): NamedSchema => ({
  name: `${model.name}Page`,
  schema: {
    type: 'object',
    required: ['items', 'count', 'count_exact', ...(rules.paging === 'cursor' ? ['next'] : [])],
    properties: {
      items: { type: 'array', items: { $ref: `#/components/schemas/${pageItem.name}` } },
      count: {
        type: ['integer', 'null'],
        format: 'int64',
        description: 'The number of matching records on all pages. Null: not counted.',
      },
      count_exact: { type: 'boolean', description: 'Whether `count` is exact rather than estimated.' },
      ...(rules.paging === 'cursor' && { next: nextSchema }),
    },
    additionalProperties: true,
  },
  uses: [pageItem],
})
