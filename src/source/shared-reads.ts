import type { Model } from '../model/model.ts'
import { ownValue } from '../model/objects.ts'
import { type Condition, everything } from '../query/ast.ts'
import { gathering, type Pace, sharingKey } from './sharing.ts'
import { type RecordStore, type Row, SourceError } from './source.ts'

/** Reads single records of a model. */
export type Reader = Pick<RecordStore, 'read'>

/** The largest number of records that one statement reads by their keys. */
const MOST_KEYS = 256

/**
 * A store whose concurrent reads by key share a statement, if they have the same guard. Reads with a lock, and those by a
 * composite key or by an object, stay as they are.
 */
export const sharedReads = (store: RecordStore, model: Model, pace: Pace): Reader => {
  const [name = '', ...others] = model.primaryKey
  if (others.length > 0) return store
  const gather = gathering<unknown, Row | undefined>(pace, MOST_KEYS)
  const order = [{ field: name, direction: 'asc' }] as const

  const readOne = (value: unknown, guard: Condition) => store.read([value], guard)

  const readAll = async (values: readonly unknown[], guard: Condition) => {
    if (values.length === 1) return [await readOne(values[0], guard)]
    const keys = padded([...new Set(values)])
    const filter: Condition = { op: 'in', field: name, values: keys }
    try {
      const rows = await store.list({ filter, order, limit: keys.length, offset: 0 }, guard)
      const found = new Map(rows.map((row) => [ownValue(row, name), row]))
      // Databases may store a key in another form than the client sent, and a column may read two keys alike.
      const isClear = found.size === rows.length
      return values.map((value) => (isClear && found.get(value)) || readOne(value, guard))
    } catch (error) {
      // Repeating the reads one by one would only load the database more.
      if (error instanceof SourceError && error.kind === 'unavailable') throw error
      return values.map((value) => readOne(value, guard))
    }
  }

  return Object.freeze({
    read: (key, guard, lock) => {
      const [value] = key
      const group = lock === undefined && typeof value !== 'object' ? guardKey(guard) : undefined
      if (group === undefined) return store.read(key, guard, lock)
      return gather(group, value, (values) => readAll(values, guard))
    },
  })
}

/** Up to the next power of two, so that a store prepares only few different statements. */
const padded = (values: readonly unknown[]): readonly unknown[] => {
  const length = 2 ** Math.ceil(Math.log2(values.length))
  return [...values, ...Array.from({ length: length - values.length }, () => values[0])]
}

/** The same for those who read under the same guard. `undefined`: they cannot share, because a value is an object. */
export const guardKey = (condition: Condition): string | undefined =>
  condition === everything ? '' : sharingKey(JSON.stringify(condition, withoutValues), valuesIn(condition))

const withoutValues = (key: string, part: unknown): unknown => {
  if (key === 'value') return undefined
  return key === 'values' ? Object(part).length : part
}

const valuesIn = (condition: Condition): readonly unknown[] => {
  if ('conditions' in condition) return condition.conditions.flatMap(valuesIn)
  if ('values' in condition) return condition.values
  const inner = 'condition' in condition ? valuesIn(condition.condition) : []
  if ('value' in condition) return [condition.value, ...inner]
  return condition.op === 'related' && condition.link !== undefined
    ? [...inner, ...valuesIn(condition.link)]
    : inner
}
