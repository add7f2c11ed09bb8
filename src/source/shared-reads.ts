import type { Model } from '../model/model.ts'
import { onceFor, ownValue } from '../model/objects.ts'
import { both, type Condition, everything, type Selection, valuesIn } from '../query/ast.ts'
import { relationOf } from '../query/order.ts'
import { gathering, type Pace, sharingKey } from './sharing.ts'
import { sizingOf, totalBytes } from './sizing.ts'
import {
  type Admits,
  type Awaitable,
  type RecordStore,
  type RelatedTo,
  type Row,
  SourceError,
} from './source.ts'

/** Reads single records of a model, and those that they refer to. */
export type Reader = Pick<RecordStore, 'read' | 'related'>

/** The largest number of records that one statement reads by their keys, if they cannot be large. */
const MOST_KEYS_AT_ONCE = 256

/** Requests with more keys do not share their statement. */
const FEW_KEYS = 32
const MOST_SHARERS = 16

/** In bytes of memory, of records that one statement reads by their keys. */
const MOST_READ_BYTES = 2 * 1024 * 1024
/** In bytes. What several requests share counts for none of them. */
const MOST_SHARED_BYTES = 256 * 1024
/** In milliseconds. For so long, requests do not share records that turned out to be large: each reads them again. */
const PAUSE = 10_000

/**
 * A store whose concurrent reads share a statement, if they have the same guard: by key, and along a to-one relation. Reads with a
 * lock, and those by a composite key or by an object, stay as they are.
 */
export const sharedReads = (store: RecordStore, model: Model, pace: Pace): Reader =>
  Object.freeze({
    read: sharedRead(store, model, pace),
    ...(store.related && { related: sharedRelated(store.related.bind(store), model, pace) }),
  })

const sharedRead = (store: RecordStore, model: Model, pace: Pace): Reader['read'] => {
  const [name = '', ...others] = model.primaryKey
  if (others.length > 0) return store.read.bind(store)
  const sizing = sizingOf(model)
  const mayBeLarge = sizing.isUnsure(Number.POSITIVE_INFINITY)
  const gather = gathering<unknown, Row | undefined>(pace, mayBeLarge ? FEW_KEYS : MOST_KEYS_AT_ONCE)
  let pausedUntil = 0
  const order = [{ field: name, direction: 'asc' }] as const

  const readOne = (value: unknown, guard: Condition) => store.read([value], guard)

  const readAll = async (values: readonly unknown[], guard: Condition) => {
    if (values.length === 1) return [await readOne(values[0], guard)]
    const keys = padded([...new Set(values)])
    const filter: Condition = { op: 'in', field: name, values: keys }
    try {
      let isSmall = true
      const admits = sizing.admitting((_sizes, memory = 0) => {
        isSmall = memory <= MOST_READ_BYTES
        return isSmall
      })
      const rows = await store.list({ filter, order, limit: keys.length, offset: 0 }, guard, admits)
      if (!isSmall) {
        pausedUntil = performance.now() + PAUSE
        return inTurn(values, (value) => readOne(value, guard))
      }
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

  return (key, guard, lock) => {
    const [value] = key
    const isAlone = lock !== undefined || typeof value === 'object' || pausedUntil > performance.now()
    const group = isAlone ? undefined : guardKey(guard)
    if (group === undefined) return store.read(key, guard, lock)
    return gather(group, value, (values) => readAll(values, guard))
  }
}

/** Reads large records one after the other, because each is shown as soon as it is there. */
const inTurn = <Item, T>(
  items: readonly Item[],
  read: (item: Item) => Awaitable<T>,
): readonly Promise<T>[] => {
  let before: Promise<unknown> = Promise.resolve()
  return items.map((item) => {
    const found = before.then(() => read(item))
    before = found.catch(() => undefined)
    return found
  })
}

type ReadRelated = NonNullable<RecordStore['related']>

/** What one request asks for along a to-one relation. */
interface RelatedRead {
  readonly to: RelatedTo
  readonly selection: Selection
  readonly admits: Admits | undefined
}

const sharedRelated = (related: ReadRelated, model: Model, pace: Pace): ReadRelated => {
  const gather = gathering<RelatedRead, readonly (readonly Row[])[]>(pace, MOST_SHARERS)

  /** By relation, when records that turned out to be large are shared again. */
  const pauses = new Map<string, number>()

  const alone = ({ to, selection, admits }: RelatedRead) => related(to, selection, admits)

  const together = async (all: readonly RelatedRead[]) => {
    const [first, ...others] = all
    if (first === undefined) return []
    if (others.length === 0) return [await alone(first)]
    const records = new Map<unknown, OwnValues>()
    for (const { to } of all) for (const key of to.records) records.set(keyOf(key), key)
    let isAdmitted = true
    try {
      const to = { ...first.to, records: [...records.values()], most: records.size }
      const lists = await related(to, first.selection, (sizes) => {
        isAdmitted = totalBytes(sizes) <= MOST_SHARED_BYTES
        return isAdmitted
      })
      if (!isAdmitted) {
        pauses.set(to.relation, performance.now() + PAUSE)
        return all.map(alone)
      }
      const found = new Map<unknown, readonly Row[]>()
      for (const [at, key] of [...records.keys()].entries()) found.set(key, lists[at] ?? [])
      return all.map(({ to }) => to.records.map((key) => found.get(keyOf(key)) ?? []))
    } catch (error) {
      if (error instanceof SourceError && error.kind === 'unavailable') throw error
      return all.map(alone)
    }
  }

  return (to, selection, admits) => {
    const isLarge = to.records.length > FEW_KEYS || (pauses.get(to.relation) ?? 0) > performance.now()
    const group = isLarge ? undefined : relatedGroup(model, to, selection)
    if (group === undefined || to.records.some(hasObject)) return related(to, selection, admits)
    return gather(group, { to, selection, admits }, together)
  }
}

type OwnValues = RelatedTo['records'][number]

const hasObject = (key: OwnValues): boolean =>
  key.some((value) => typeof value === 'object' && value !== null)

/** The same for equal values. */
const keyOf = (key: OwnValues): unknown => (key.length === 1 ? key[0] : sharingKey('', key))

const fieldsText = onceFor((fields: readonly string[]) => JSON.stringify(fields))

/** The same for those who ask for the same of other records. A record has at most one along a to-one relation, in any order. */
const relatedGroup = (
  model: Model,
  { relation, guard }: RelatedTo,
  { filter, order, fields }: Selection,
): string | undefined => {
  const isSortedByOwn = order.every(({ via = [] }) => via.length === 0)
  if (!isSortedByOwn || relationOf(model, relation).kind !== 'to-one') return undefined
  const own = guardKey(both(filter, guard))
  return own === undefined ? undefined : `${JSON.stringify(relation)} ${fields && fieldsText(fields)} ${own}`
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
