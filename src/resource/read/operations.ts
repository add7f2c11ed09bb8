import { hookContext, recordBy, runHook } from '../../controller/hooks.ts'
import type { ScopedCall } from '../../controller/scope.ts'
import { onceFor } from '../../model/objects.ts'
import type { Call } from '../../operation/call.ts'
import { isHead } from '../../operation/methods.ts'
import type { Operation } from '../../operation/operation.ts'
import { skip, takePath } from '../../operation/path.ts'
import { sentTags } from '../../operation/preconditions.ts'
import { queryProblems } from '../../operation/refusals.ts'
import type { Steps } from '../../operation/steps.ts'
import { both, type Condition } from '../../query/ast.ts'
import type { Row } from '../../source/source.ts'
import type { Act } from '../document/describe.ts'
import { detailParameters, listParameters } from '../document/list-parameters.ts'
import { type Touched, withheldSentence } from '../document/related.ts'
import { pageSuccess, readSuccess, unchanged } from '../document/responses.ts'
import { openReach } from '../parts/reach.ts'
import {
  enter,
  findPermitted,
  isReadHooked,
  keyReader,
  noSuchRecord,
  seeingDeleted,
  unscoped,
} from '../parts/record.ts'
import type { ModelRecords, Reach, Resource, Rules } from '../parts/resource.ts'
import { shownPage, shownWithUrls } from '../show/files.ts'
import { includedMembers } from '../show/include.ts'
import { includingOf } from '../show/including.ts'
import { presentedRecord } from '../show/presenting.ts'
import { detailReply, JSON_TYPE, pageText, readReply, recordText, type Shown } from '../show/replies.ts'
import { readPage } from './page.ts'

/** Those of the parameter `deleted`. */
const deletionProblems = ['invalid_value', 'unauthenticated', 'forbidden'] as const

/** @param aggregate the operation whose path is that of a record. @default there is none */
export const reading = (resource: Resource, aggregate: Operation | undefined): Act => {
  const { model, access, rules } = resource
  const detail = detailIn(resource)
  const readKey = keyReader(model)
  // Most requests have no query string.
  const plain = rules.parseDetail('')
  const findIn = onceFor((records: ModelRecords) => findPermitted({ ...resource, records }, 'get'))
  return {
    // A record with this key can be reached with any part of it percent-encoded.
    ...(aggregate && { instead: aggregate }),
    parameters: detailParameters(resource),
    touches: detailTouches(rules),
    problems: [
      ...(rules.relations.length === 0 && model.detailFields !== true ? [] : queryProblems),
      ...(model.softDelete === undefined ? [] : deletionProblems),
    ],
    success: readSuccess(resource, `The record.${withheldSentence(resource)}`),
    unchanged,
    run: takePath({
      mediaType: JSON_TYPE,
      ask(call) {
        if (call.header('if-none-match') !== undefined) sentTags(call, 'if-none-match')
        return {
          key: readKey(call.params['id']),
          query: call.query === '' ? plain : rules.parseDetail(call.query),
        }
      },
      enter: enter(access, 'get'),
      find: skip,
      validate: skip,
      *act({ key, query }, _input, scoped) {
        const reach = query.uses.length === 0 ? openReach : yield* access.reach(scoped, query.uses)
        const { deleted } = query
        const records =
          deleted === undefined ? resource.records : yield* seeingDeleted(resource, scoped, deleted)
        const row = yield* findIn(records)(key, scoped)
        return yield* detail(row, { query, reach, records, scoped })
      },
      reply: ({ shown, isWhole }, call) => detailReply(resource, shown, call, isWhole),
    }),
  }
}

/** How a response with one record leads to others. */
export const detailTouches = ({ parseDetail }: Rules): Touched => ({
  uses: (query) => parseDetail(query).uses,
})

interface DetailReading {
  readonly query: ReturnType<Rules['parseDetail']>
  readonly reach: Reach
  /** Those that show deleted records too, if the client asked for them. */
  readonly records: ModelRecords
  readonly scoped: ScopedCall
}

/** Shows a record as its endpoint does, after hooks, computed fields, files and includes. */
const detailIn = (resource: Pick<Resource, 'model' | 'access' | 'bodies' | 'rules'>) => {
  const { model, rules, bodies } = resource
  const isHooked = isReadHooked(resource)
  return function* (row: Row, { query, reach, records, scoped }: DetailReading) {
    const made = isHooked ? yield* afterRead(resource, row, scoped) : { record: row, shown: row }
    const whole = bodies.media === undefined ? made : yield* shownWithUrls(resource, made)
    const shown = query.fields === undefined ? whole : { ...whole, fields: query.fields }
    const isEmpty = isHead(scoped.call)
    const isWhole = !isEmpty || (query.include.length === 0 && bodies.computed.length === 0)
    if (query.include.length === 0 || isEmpty) return { shown, isWhole }
    const include = reach.listed(query.include)
    // As the record itself: a replica may lag behind it.
    const inside = includingOf({ records, rules }, { scoped, reach, from: 'stored' })
    const included = yield* includedMembers({ model, records }, [row], include, inside)
    return { shown: { ...shown, included }, isWhole }
  }
}

/**
 * The JSON of a record that the caller gets from another endpoint, as the endpoint of the record shows it without parameters. The
 * caller may read it already: neither the scope nor the permission is asked.
 *
 * @throws HttpError 404 if `present` leaves it out, and errors of hooks
 */
export function* recordShown(resource: Omit<Resource, 'related'>, row: Row, call: Call): Steps<string> {
  const { model, access, records, rules } = resource
  const scoped = unscoped(call)
  const query = rules.parseDetail('')
  const reach = yield* access.reach(scoped, query.uses)
  const { shown } = yield* detailIn(resource)(row, { query, reach, records, scoped })
  const text = recordText(resource, shown)
  if (text === undefined) throw noSuchRecord(model)
  return text
}

/** What hooks and computed fields make of a single record. @throws HttpError 404 if `present` leaves it out */
function* afterRead(
  resource: Pick<Resource, 'model' | 'access' | 'bodies'>,
  row: Row,
  scoped: ScopedCall,
): Steps<Shown> {
  const { model, access } = resource
  const { call } = scoped
  const given = yield* runHook(access.controller, 'afterRead', call, (hook) =>
    hook(call.request, { ...row }, hookContext(access.scopes.source, call)),
  )
  const read = given === undefined ? row : recordBy(access, 'afterRead', call, given)
  const made = yield* presentedRecord(resource, { record: row, shown: read }, scoped)
  if (made.shown === undefined) throw noSuchRecord(model)
  return made
}

/**
 * @param below finds the record whose related records are listed, and returns a condition that holds for them. @default all
 * records are listed
 * @param always the models that `below` reads
 */
export const listing = (
  resource: Resource,
  below?: (scoped: ScopedCall) => Steps<Condition>,
  always: readonly string[] = [],
): Act => {
  const { model, access, bodies, rules } = resource
  return {
    parameters: listParameters(rules, bodies),
    touches: { uses: (query) => rules.parseList(query).request.uses, always },
    success: pageSuccess(resource, withheldSentence(resource)),
    problems: [...queryProblems, ...(model.softDelete === undefined ? [] : deletionProblems)],
    run: takePath({
      mediaType: JSON_TYPE,
      ask: ({ query }) => rules.parseList(query),
      enter: enter(access, 'list'),
      find: skip,
      validate: skip,
      *act(parsed, _input, scoped) {
        if (below !== undefined) scoped.guard = both(scoped.guard, yield* below(scoped))
        const { deleted } = parsed.request
        const seen =
          deleted === undefined
            ? resource
            : { ...resource, records: yield* seeingDeleted(resource, scoped, deleted) }
        const page = yield* readPage(seen, scoped, parsed)
        return bodies.media === undefined || isHead(scoped.call) ? page : yield* shownPage(resource, page)
      },
      reply: (page, call) => readReply(call, () => pageText(resource, page)),
    }),
  }
}
