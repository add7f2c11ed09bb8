import type { ScopedCall } from '../../controller/scope.ts'
import type { Issue } from '../../error/errors.ts'
import { readJson } from '../../operation/body.ts'
import type { Operation } from '../../operation/operation.ts'
import { assertNoQuery, skip, takePath } from '../../operation/path.ts'
import { assertNoOthers } from '../../operation/preconditions.ts'
import { type Steps, wait } from '../../operation/steps.ts'
import { type BulkRequest, filterRequired, parseBulkRequest } from '../../query/bulk.ts'
import { bodyRefusal } from '../../schema/issues.ts'
import { namesIn } from '../body.ts'
import { operationOn } from '../describe.ts'
import { admission, enter, JSON_TYPE, jsonReply } from '../record.ts'
import { noContent } from '../replies.ts'
import type { Resource } from '../resource.ts'
import { permit, updated } from '../together/changes.ts'
import { wrongType } from '../together/elements.ts'
import { touching } from '../touched.ts'
import { checkedIfLate } from '../write.ts'
import { changeEach, changeMatching } from './change.ts'
import { countText, updatingBody, updatingDescribed } from './document.ts'
import { existingOf } from './existing.ts'
import { matchingRecords } from './matching.ts'
import { assertMany, elementsOf, readAll, recordsOf, takesFilters } from './records.ts'
import { shownText } from './shown.ts'

/** `PATCH /products/`: changes the records of an array, or with a filter all that match, if clients have the list. */
export const updateMany = (resource: Resource): Operation => {
  const { rules, model } = resource
  const isFiltered = takesFilters(model)
  const body = updatingBody(resource)
  const act = function* (
    request: BulkRequest | undefined,
    sent: unknown,
    scoped: ScopedCall,
  ): Steps<string | undefined> {
    if (request !== undefined && Array.isArray(sent)) throw bodyRefusal([notAnArray])
    if (request !== undefined) return yield* updateMatching(resource, scoped, request, sent)
    if (!Array.isArray(sent) && isFiltered) throw filterRequired()
    if (!Array.isArray(sent)) throw bodyRefusal([wrongType([], sent, 'an array')])
    return yield* updateEach(resource, scoped, sent)
  }
  return operationOn(resource, 'updateMany', {
    ...updatingDescribed(resource),
    models: touching(resource, {
      uses: (query) => (isFiltered && query !== '' ? parseBulkRequest(query, rules).uses : []),
      writes: true,
    }),
    body,
    run: takePath<BulkRequest | undefined, ScopedCall, undefined, unknown, string | undefined>({
      mediaType: JSON_TYPE,
      body,
      ask(call) {
        assertNoOthers(call)
        if (!isFiltered) assertNoQuery(call)
        return isFiltered && call.query !== '' ? parseBulkRequest(call.query, rules) : undefined
      },
      enter: enter(resource, 'update'),
      find: skip,
      validate: (bytes) => wait(readJson(bytes)),
      act: checkedIfLate(resource, admission(resource, 'update'), skip, act),
      reply: (text) => (text === undefined ? noContent : jsonReply(text)),
    }),
  })
}

function* updateEach(
  resource: Resource,
  scoped: ScopedCall,
  sent: readonly unknown[],
): Steps<string | undefined> {
  assertMany(resource, sent)
  const together = recordsOf(resource)
  const elements = elementsOf('update', sent)
  const existing = yield* existingOf(resource, scoped, elements)
  const found = new Map(existing.map((each) => [each.element, each]))
  const changes = yield* readAll(resource, scoped, elements, function* (element) {
    const { key, row = {} } = found.get(element) ?? {}
    yield* permit(resource, 'update', scoped, row)
    const values = yield* updated({ together, parent: {} }, element, row)
    return { verb: 'update' as const, path: element.path, ...(key && { key }), seen: row, ...values }
  })
  return yield* shownText(resource, scoped, yield* changeEach(resource, scoped, changes))
}

function* updateMatching(
  resource: Resource,
  scoped: ScopedCall,
  request: BulkRequest,
  sent: unknown,
): Steps<string> {
  const values = yield* wait(resource.bodies.update(sent))
  const own = namesIn(sent)
  const names = resource.bodies.isCustom.update ? [...own, ...Object.keys(values)] : own
  const bytes = Buffer.byteLength(JSON.stringify(sent))
  const matching = yield* matchingRecords(resource, scoped, request, { verb: 'update', bytes })
  const count = request.isDryRun
    ? matching.rows.length
    : yield* changeMatching(resource, scoped, matching, { verb: 'update', values, sent: names })
  return countText(count, request)
}

const notAnArray: Issue = {
  pointer: '',
  code: 'wrong_type',
  detail:
    'With a filter, the body must be a JSON object, the change to each record. An array needs a request without a filter.',
}
