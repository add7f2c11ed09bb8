import { LRUCache } from 'lru-cache'
import { plural } from '../model/naming.ts'
import type { Operation } from '../operation/operation.ts'
import { noBody, nothing, takePath } from '../operation/path.ts'
import { type ListQuery, readListQuery } from '../query/list-query.ts'
import { operationOn } from './describe.ts'
import { listParameters } from './list-parameters.ts'
import { findPage, pageText } from './page.ts'
import { pageSuccess } from './page-success.ts'
import { JSON_TYPE, json } from './replies.ts'
import type { Resource } from './resource.ts'

/** Queries that clients send again and again are read once. Entries hold at most `maxQueryBytes` of text each. */
const KEPT_QUERIES = 500

/** `GET /products/` */
export const list = (resource: Resource): Operation => {
  const { model, rules } = resource
  const kept = new LRUCache<string, ListQuery>({ max: KEPT_QUERIES })
  const readQuery = (raw: string): ListQuery => {
    const known = kept.get(raw)
    if (known !== undefined) return known
    const query = readListQuery(raw, rules)
    kept.set(raw, query)
    return query
  }
  return operationOn(resource, {
    verb: 'list',
    method: 'GET',
    path: 'collection',
    summary: `List ${plural(model.name)}`,
    parameters: listParameters(resource),
    success: pageSuccess(resource),
    problems: [
      ...(['malformed_query', 'query_too_long', 'unknown_parameter', 'unknown_field'] as const),
      ...([
        'invalid_operator',
        'invalid_value',
        'not_acceptable',
        'unrepresentable_value',
        'unavailable',
      ] as const),
    ],
    run: takePath({
      mediaType: JSON_TYPE,
      ask: (call) => readQuery(call.query),
      find: nothing,
      validate: noBody,
      act: (query, _input, guard) => findPage(resource, query, guard),
      reply: (page) => json(pageText(resource, page)),
    }),
  })
}
