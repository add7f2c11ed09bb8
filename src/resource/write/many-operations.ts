import type { ScopedCall } from '../../controller/scope.ts'
import type { Issue } from '../../error/errors.ts'
import { takesFilters } from '../../model/operations.ts'
import { readJson } from '../../operation/body.ts'
import { assertNoQuery, skip, takePath } from '../../operation/path.ts'
import { assertNoOthers } from '../../operation/preconditions.ts'
import { type Steps, wait } from '../../operation/steps.ts'
import { type BulkRequest, filterRequired, parseBulkRequest } from '../../query/bulk.ts'
import { bodyRefusal } from '../../schema/issues.ts'
import type { Act } from '../document/describe.ts'
import { countText, deletingDescribed, updatingBody, updatingDescribed } from '../document/many.ts'
import { admission, checkedIfLate, enter } from '../parts/record.ts'
import type { WriteTarget } from '../parts/resource.ts'
import { JSON_TYPE, jsonReply, noContent } from '../show/replies.ts'
import { updatedValues } from './body.ts'
import { nothingSent } from './change.ts'
import { assertMany, changeEach, readMany } from './many.ts'
import { changeMatching, matchingRecords } from './matching.ts'
import { elementsIn, wrongType } from './plan.ts'
import { shownText } from './shown.ts'

/** `PATCH /products/`: changes the records of an array, or with a filter all that match, if clients have the list. */
export const updatingMany = (target: WriteTarget): Act => {
  const { access, rules, model } = target
  const isFiltered = takesFilters(model)
  const body = updatingBody(target)
  const act = function* (
    request: BulkRequest | undefined,
    sent: unknown,
    scoped: ScopedCall,
  ): Steps<string | undefined> {
    if (request !== undefined && Array.isArray(sent)) throw bodyRefusal([notAnArray])
    if (request !== undefined) return yield* updateMatching(target, scoped, request, sent)
    if (!Array.isArray(sent) && isFiltered) throw filterRequired()
    if (!Array.isArray(sent)) throw bodyRefusal([wrongType([], sent, 'an array')])
    return yield* updateEach(target, scoped, sent)
  }
  return {
    ...updatingDescribed(target),
    touches: {
      uses: (query) => (isFiltered && query !== '' ? parseBulkRequest(query, rules).uses : []),
      writes: true,
    },
    body,
    run: takePath<BulkRequest | undefined, ScopedCall, undefined, unknown, string | undefined>({
      mediaType: JSON_TYPE,
      body,
      ask(call) {
        assertNoOthers(call)
        if (!isFiltered) assertNoQuery(call)
        return isFiltered && call.query !== '' ? parseBulkRequest(call.query, rules) : undefined
      },
      enter: enter(access, 'update'),
      find: skip,
      validate: (bytes) => wait(readJson(bytes)),
      act: checkedIfLate(access, admission(access, 'update'), skip, act),
      reply: (text) => (text === undefined ? noContent : jsonReply(text)),
    }),
  }
}

function* updateEach(
  target: WriteTarget,
  scoped: ScopedCall,
  sent: readonly unknown[],
): Steps<string | undefined> {
  assertMany(target.rules, sent)
  const changes = yield* readMany(target, scoped, elementsIn('update', sent))
  return yield* shownText(target, scoped, yield* changeEach(changes))
}

function* updateMatching(
  target: WriteTarget,
  scoped: ScopedCall,
  request: BulkRequest,
  sent: unknown,
): Steps<string> {
  const given = yield* updatedValues(target, sent)
  const bytes = Buffer.byteLength(JSON.stringify(sent))
  const matching = yield* matchingRecords(target, scoped, request, { verb: 'update', bytes })
  const count = request.isDryRun
    ? matching.rows.length
    : yield* changeMatching(target, scoped, matching, { ...given, verb: 'update' })
  return countText(count, request)
}

const notAnArray: Issue = {
  pointer: '',
  code: 'wrong_type',
  detail:
    'With a filter, the body must be a JSON object, the change to each record. An array needs a request without a filter.',
}

/** `DELETE /products/?q=…`: deletes all records that match. A body is ignored. */
export const deletingMany = (target: WriteTarget): Act => {
  const { access, rules } = target
  return {
    ...deletingDescribed(rules),
    touches: { uses: (query) => parseBulkRequest(query, rules).uses },
    run: takePath({
      mediaType: JSON_TYPE,
      ask(call) {
        assertNoOthers(call)
        return parseBulkRequest(call.query, rules)
      },
      enter: enter(access, 'delete'),
      find: skip,
      validate: skip,
      *act(request, _input, scoped) {
        const matching = yield* matchingRecords(target, scoped, request, { verb: 'delete', bytes: 0 })
        const count = request.isDryRun
          ? matching.rows.length
          : yield* changeMatching(target, scoped, matching, { ...nothingSent, verb: 'delete' })
        return countText(count, request)
      },
      reply: (text) => jsonReply(text),
    }),
  }
}
