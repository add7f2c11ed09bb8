import type { ScopedCall } from '../../controller/scope.ts'
import { problem } from '../../error/errors.ts'
import { type Awaitable, isPromise } from '../../model/objects.ts'
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
   * @param lists one of each record
   * @param isInner the records are included themselves, so those that include them count these again
   * @throws HttpError 400 `page_too_large`
   */
  readonly spend: (relation: string, lists: readonly IncludedList[], isInner: boolean) => void
  /**
   * For the JSON of all that records include which are included themselves, before it becomes part of theirs.
   *
   * @throws HttpError 400 `page_too_large`
   */
  readonly fit: (relations: readonly string[], texts: readonly string[]) => void
}

/** What is included along a relation of a record. */
export interface IncludedList {
  /** Its JSON. */
  readonly text: string
  readonly length: number
  /** With those that they include. */
  readonly records: number
}

const includeBudget = (maxRecords: number, maxBytes: number): IncludeBudget => {
  let isOver = false
  // Those that were found, and those that are shown: a record that several others include is shown several times.
  let [found, spent] = [0, 0]
  let read = maxBytes
  let written = maxBytes
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
    spend: (relation, lists, isInner) => {
      let [shown, size] = [0, 0]
      for (const { text, length, records } of lists) {
        shown += records
        size += text.length
        found += length
        if (Math.max(found, shown + spent) > maxRecords) isOver = true
        if (isOver || written < size) throw tooLarge(relation)
      }
      if (isInner) return
      spent += shown
      written -= size
    },
    fit: (relations, texts) => {
      const size = texts.reduce((sum, { length }) => sum + length, 0)
      if (written < size) throw tooLarge(relations.join(' and '))
    },
  }
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
