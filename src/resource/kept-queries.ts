import { LRUCache } from 'lru-cache'
import { type ListQuery, readListQuery } from '../query/list-query.ts'
import type { ListRules } from '../query/rules.ts'

/** Query strings that are kept, of all models together. Each has at most `maxQueryBytes` of text. */
const KEPT = 1000

/** Makes the reader of each model's query strings. One that clients send again and again is read once. */
export const keptQueries = (): ((rules: ListRules) => (raw: string) => ListQuery) => {
  const kept = new LRUCache<string, ListQuery>({ max: KEPT })
  return (rules) => (raw) => {
    const key = `${rules.model.name}?${raw}`
    const known = kept.get(key)
    if (known !== undefined) return known
    const query = readListQuery(raw, rules)
    kept.set(key, query)
    return query
  }
}
