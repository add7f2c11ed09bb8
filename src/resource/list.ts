import type { Operation } from '../operation/operation.ts'
import { nothing, takePath } from '../operation/path.ts'
import { operationOn } from './describe.ts'
import { listParameters } from './list-parameters.ts'
import { listed } from './listed.ts'
import { pageSuccess } from './page-success.ts'
import { pageText } from './page-text.ts'
import { headOnly, isHead, JSON_TYPE, json } from './replies.ts'
import type { Resource } from './resource.ts'
import { shownFiles } from './shown-files.ts'

/** `GET /products/` */
export const list = (resource: Resource): Operation => {
  const { around, queries } = resource
  return operationOn(resource, {
    verb: 'list',
    method: 'GET',
    path: 'collection',
    parameters: listParameters(resource),
    success: pageSuccess(resource),
    problems: [
      ...(['malformed_query', 'query_too_long', 'unknown_parameter', 'unknown_field'] as const),
      ...([
        'invalid_operator',
        'invalid_value',
        'page_too_large',
        'not_acceptable',
        'unrepresentable_value',
        'unavailable',
      ] as const),
    ],
    run: takePath({
      mediaType: JSON_TYPE,
      ask: (call) => queries.ask(call.query),
      enter: around.enter('list'),
      find: nothing,
      validate: nothing,
      *act(asked, _input, visit) {
        const page = yield* listed(resource, visit, asked)
        return isHead(visit.call) ? page : yield* shownFiles(resource, page)
      },
      reply: (page, call) => (isHead(call) ? headOnly : json(pageText(resource, page))),
    }),
  })
}
