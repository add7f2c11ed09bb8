import type { Operation } from '../../operation/operation.ts'
import { skip, takePath } from '../../operation/path.ts'
import { assertNoOthers } from '../../operation/preconditions.ts'
import { parseBulkRequest } from '../../query/bulk.ts'
import { operationOn } from '../describe.ts'
import { enter, JSON_TYPE, jsonReply } from '../record.ts'
import type { Resource } from '../resource.ts'
import { touching } from '../touched.ts'
import { changeMatching } from './change.ts'
import { countText, deletingDescribed } from './document.ts'
import { matchingRecords } from './matching.ts'

/** `DELETE /products/?q=…`: deletes all records that match. A body is ignored. */
export const deleteMany = (resource: Resource): Operation =>
  operationOn(resource, 'deleteMany', {
    ...deletingDescribed(resource),
    models: touching(resource, { uses: (query) => parseBulkRequest(query, resource.rules).uses }),
    run: takePath({
      mediaType: JSON_TYPE,
      ask(call) {
        assertNoOthers(call)
        return parseBulkRequest(call.query, resource.rules)
      },
      enter: enter(resource, 'delete'),
      find: skip,
      validate: skip,
      *act(request, _input, scoped) {
        const matching = yield* matchingRecords(resource, scoped, request, { verb: 'delete', bytes: 0 })
        const count = request.isDryRun
          ? matching.rows.length
          : yield* changeMatching(resource, scoped, matching, { verb: 'delete', values: {}, sent: [] })
        return countText(count, request)
      },
      reply: (text) => jsonReply(text),
    }),
  })
