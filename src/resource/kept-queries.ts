import { LRUCache } from 'lru-cache'
import { onceFor } from '../model/once-for.ts'
import { type AskedList, type ListQuery, readAskedList, toListQuery } from '../query/list-query.ts'
import type { ListRules } from '../query/rules.ts'

/** Query strings that are kept, of all models together. */
const KEPT = 1000

/** Their characters, of all together: what has been read takes many times the space of its text. */
const KEPT_CHARACTERS = 500_000

/** Reads the query strings of a model's lists. */
export interface QueryReader {
  /** @throws HttpError 400 */
  readonly ask: (raw: string) => AskedList
  /** @throws HttpError 400 for a foreign cursor */
  readonly queryOf: (asked: AskedList) => ListQuery
}

/** Makes the readers of all models. A query string that clients send again and again is read once. */
export const keptQueries = (): ((rules: ListRules) => QueryReader) => {
  const kept = new LRUCache<string, AskedList>({
    max: KEPT,
    maxSize: KEPT_CHARACTERS,
    sizeCalculation: (_asked, key) => key.length,
  })
  return (rules) => ({
    ask: (raw) => {
      const key = `${rules.model.name}?${raw}`
      const known = kept.get(key)
      if (known !== undefined) return known
      const asked = readAskedList(raw, rules)
      kept.set(key, asked)
      return asked
    },
    queryOf: onceFor((asked) => toListQuery(asked, rules)),
  })
}
