import type { ScopedCall } from '../controller/scope.ts'
import type { CountMode } from '../model/model.ts'
import type { Operation, Success } from '../operation/operation.ts'
import { skip, takePath } from '../operation/path.ts'
import { queryProblems } from '../operation/refusals.ts'
import type { Steps } from '../operation/steps.ts'
import { both, type Condition } from '../query/ast.ts'
import { defaultCount } from '../query/list-query.ts'
import { exampleOf } from '../schema/example.ts'
import type { NamedSchema } from '../schema/json-schema.ts'
import { aggregate } from './aggregate.ts'
import { type Act, detailSuccess, operationOn } from './describe.ts'
import { shownPage, shownRow } from './files.ts'
import { includedMembers, includingOf } from './include.ts'
import { includeParameters, listParameters } from './list-parameters.ts'
import { pageText, readPage } from './page.ts'
import { openReach, reachOf } from './reach.ts'
import { enter, findPermitted, headReply, isHead, JSON_TYPE, jsonReply, keyReader } from './record.ts'
import type { Resource } from './resource.ts'

export const read = (resource: Resource): Operation => {
  const { model, media, serialiser, source } = resource
  const readKey = keyReader(model)
  const find = findPermitted(resource, 'get')
  const aggregating = source.capabilities.aggregates === true ? aggregate(resource) : undefined
  return operationOn(resource, 'get', {
    // A record with this key can be reached with any part of it percent-encoded.
    ...(aggregating && { instead: ({ params }) => (params['id'] === 'aggregate' ? aggregating : undefined) }),
    parameters: includeParameters(resource),
    problems: resource.relations.length === 0 ? [] : queryProblems,
    success: detailSuccess(resource, 200, 'The record.'),
    run: takePath({
      mediaType: JSON_TYPE,
      ask: ({ params, query }) => ({ key: readKey(params['id']), query: resource.parseDetail(query) }),
      enter: enter(resource, 'get'),
      find: skip,
      validate: skip,
      *act({ key, query }, _input, scoped) {
        const reach = query.uses.length === 0 ? openReach : yield* reachOf(resource, scoped, query.uses)
        const row = yield* find(key, scoped)
        const shown = media === undefined ? row : yield* shownRow(resource, row)
        if (query.include.length === 0 || isHead(scoped.call)) return { shown }
        const include = reach.listed(query.include)
        // As the record itself: a replica may lag behind it.
        const inside = includingOf(resource, { scoped, reach, storeOf: ({ store }) => store })
        const [members] = yield* includedMembers(resource, [row], include, inside)
        return { shown, members }
      },
      reply: ({ shown, members }) => jsonReply(serialiser.record(shown, members)),
    }),
  })
}

export const list = (resource: Resource): Operation => operationOn(resource, 'list', listing(resource))

/**
 * @param below finds the record whose related records are listed, and returns a condition that holds for them. @default all
 * records are listed
 */
export const listing = (resource: Resource, below?: (scoped: ScopedCall) => Steps<Condition>): Act => ({
  parameters: listParameters(resource),
  success: pageSuccess(resource),
  problems: queryProblems,
  run: takePath({
    mediaType: JSON_TYPE,
    ask: ({ query }) => resource.parseList(query),
    enter: enter(resource, 'list'),
    find: skip,
    validate: skip,
    *act(parsed, _input, scoped) {
      if (below !== undefined) scoped.guard = both(scoped.guard, yield* below(scoped))
      const page = yield* readPage(resource, scoped, parsed)
      return resource.media === undefined || isHead(scoped.call) ? page : yield* shownPage(resource, page)
    },
    reply: (page, call) => (isHead(call) ? headReply : jsonReply(pageText(resource, page))),
  }),
})

const pageSuccess = (resource: Resource): Success => ({
  status: 200,
  description: 'A page of records.',
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
  description:
    'The `cursor` of the next page, for the same `q`, `search`, `sort` and `order`. Null: this is the last page.',
}

const pageSchema = ({ model, pageItem, rules }: Resource): NamedSchema => ({
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
