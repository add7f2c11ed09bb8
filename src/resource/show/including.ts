import type { ScopedCall } from '../../controller/scope.ts'
import { problem } from '../../error/errors.ts'
import { type Awaitable, isPromise, type Values } from '../../model/objects.ts'
import { totalBytes } from '../../source/sizing.ts'
import type { Admits } from '../../source/source.ts'
import { heldAdmits } from '../parts/records.ts'
import type { Reach, Resource } from '../parts/resource.ts'

/** What all included records of a response have in common. */
export interface Including {
  readonly scoped: ScopedCall
  readonly reach: Reach
  /** Whether related records are read like those of a page, or as they are stored. */
  readonly from: 'page' | 'stored'
  readonly budget: IncludeBudget
  /** For its statements. */
  readonly takeTurn: TakeTurn
  /** Admits rows that fit once the request holds the memory that they take. */
  readonly held: (fits: (sizes: readonly number[]) => boolean) => Admits
  /** The records are included themselves. */
  readonly isInner?: true
}

/** A request takes at most as many connections as a list, which runs with its count. */
const AT_ONCE = 2

export const includingOf = (
  { records, rules }: Pick<Resource, 'records' | 'rules'>,
  shared: Pick<Including, 'scoped' | 'reach' | 'from'>,
): Including => ({
  ...shared,
  budget: includeBudget(rules.includeMaxRecords, records.pageBytes),
  takeTurn: turnsOf(AT_ONCE),
  held: (fits) => heldAdmits(records, shared.scoped.call, fits),
})

/** What the included records of a response may use in total. */
interface IncludeBudget {
  /** For one statement about this many records. It admits at most `most` rows. `end` throws if it did not admit them. */
  readonly statement: (
    relation: string,
    records: number,
  ) => {
    readonly admits: (sizes: readonly number[]) => boolean
    readonly end: () => void
    readonly most: number
  }
  /**
   * For the records that are shown: one that belongs to several counts each time, with all that it includes.
   *
   * @param isInner the items are included themselves, so those that include them count these again
   * @throws HttpError 400 `page_too_large`
   */
  readonly spend: <Item>(
    relation: string,
    items: readonly Item[],
    listOf: (item: Item, at: number) => readonly Values[],
    isInner: boolean,
  ) => void
}

/** What a list of included records has in JSON. */
interface Weight {
  readonly records: number
  readonly size: number
}

const includeBudget = (maxRecords: number, maxBytes: number): IncludeBudget => {
  let isOver = false
  // Those that were found, and those that are shown: a record that several others include is shown several times.
  let [found, spent] = [0, 0]
  let read = maxBytes
  let written = maxBytes
  const weights = new WeakMap<object, Weight>()
  const tooLarge = (relation: string): Error => {
    const detail = isOver
      ? `The response would have more than ${maxRecords} included records.`
      : `The included records are larger than ${maxBytes} bytes.`
    const remedy = `Include fewer ${relation}: set limit or fields in parentheses, or request fewer records.`
    return problem('page_too_large', detail, {
      errors: [{ parameter: 'include', code: 'page_too_large', detail: remedy }],
    })
  }
  return {
    statement: (relation, around) => {
      let held = 0
      let isAdmitted = true
      // Each list may have one more, which shows that there are more.
      const most = maxRecords + around
      return {
        most,
        admits: (sizes) => {
          // A source may retry a read after a broken connection. The same rows count once.
          read += held
          held = totalBytes(sizes)
          read -= held
          if (sizes.length > most) isOver = true
          isAdmitted = read >= 0 && !isOver
          return isAdmitted
        },
        end: () => {
          if (!isAdmitted) throw tooLarge(relation)
        },
      }
    },
    spend: (relation, items, listOf, isInner) => {
      let [shown, size] = [0, 0]
      for (const [at, item] of items.entries()) {
        const list = listOf(item, at)
        const weight = weights.get(list) ?? weightOf(list, weights)
        shown += weight.records
        size += weight.size
        found += list.length
        if (Math.max(found, shown + spent) > maxRecords) isOver = true
        if (isOver || written < size) throw tooLarge(relation)
      }
      if (isInner) return
      spent += shown
      written -= size
    },
  }
}

const weightOf = (list: readonly Values[], weights: WeakMap<object, Weight>): Weight => {
  let [records, size] = [list.length, 0]
  for (const json of list) size += sizeOf(json, sizeOfMember)
  function sizeOfMember(value: unknown): number {
    const known = typeof value === 'object' && value !== null ? weights.get(value) : undefined
    if (known === undefined) return sizeOf(value)
    records += known.records
    return known.size
  }
  const weight = { records, size }
  weights.set(list, weight)
  // A to-one relation shows the record itself.
  const [only] = list
  if (only !== undefined && list.length === 1) weights.set(only, weight)
  return weight
}

/** The approximate number of characters of JSON, never more than it has. */
function sizeOf(json: unknown, sizeOfMember: (value: unknown) => number = sizeOf): number {
  if (typeof json === 'string') return json.length + 2
  if (typeof json !== 'object' || json === null) return 1
  const isArray = Array.isArray(json)
  let size = 1
  for (const [name, value] of Object.entries(json))
    if (value !== undefined) size += (isArray ? 1 : name.length + 3) + sizeOfMember(value)
  return size
}

/** Runs `act` now, or when it is its turn. */
type TakeTurn = <T>(act: () => Awaitable<T>) => Awaitable<T>

/** At most `most` run at the same time. After a failure, those that wait never run. */
const turnsOf = (most: number): TakeTurn => {
  let running = 0
  let hasFailed = false
  const waiting: (() => void)[] = []
  const leave = (): void => {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }
  const fail = (): void => {
    hasFailed = true
    waiting.length = 0
  }
  const run = <T>(act: () => Awaitable<T>): Awaitable<T> => {
    const result = act()
    if (isPromise(result)) result.then(leave, fail)
    else leave()
    return result
  }
  return (act) => {
    if (running >= most || hasFailed)
      return new Promise<void>((resolve) => waiting.push(resolve)).then(() => run(act))
    running += 1
    return run(act)
  }
}
