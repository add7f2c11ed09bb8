import { problem } from '../error/errors.ts'
import type { Values } from '../model/objects.ts'
import type { Admits } from '../source/source.ts'

/** What the included records of a response may use in total. */
export interface IncludeBudget {
  /** For one statement about this many records. It admits at most `most` rows. `end` throws if it did not admit them. */
  readonly statement: (
    relation: string,
    records: number,
  ) => { readonly admits: Admits; readonly end: () => void; readonly most: number }
  /**
   * For the records that are shown: one that belongs to several counts each time.
   *
   * @throws HttpError 400 `page_too_large`
   */
  readonly spend: <Item>(
    relation: string,
    items: readonly Item[],
    listOf: (item: Item, at: number) => readonly Values[],
  ) => void
}

export const includeBudget = (maxRecords: number, maxBytes: number): IncludeBudget => {
  let records = maxRecords
  let read = maxBytes
  let written = maxBytes
  const tooLarge = (relation: string): Error => {
    const detail =
      records < 0
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
          held = sizes.reduce((sum, size) => sum + size, 0)
          read -= held
          if (sizes.length > most) records = -1
          isAdmitted = read >= 0 && records >= 0
          return isAdmitted
        },
        end: () => {
          if (!isAdmitted) throw tooLarge(relation)
        },
      }
    },
    spend: (relation, items, listOf) => {
      const sizes = new Map<readonly Values[], number>()
      for (const [at, item] of items.entries()) {
        const list = listOf(item, at)
        const size = sizes.get(list) ?? list.reduce((sum, json) => sum + sizeOf(json), 0)
        sizes.set(list, size)
        records -= list.length
        written -= size
        if (records < 0 || written < 0) throw tooLarge(relation)
      }
    },
  }
}

/** The approximate number of characters of JSON, never more than it has. */
const sizeOf = (json: unknown): number => {
  if (typeof json === 'string') return json.length + 2
  if (typeof json !== 'object' || json === null) return 1
  let size = 2
  for (const value of Object.values(json)) size += 1 + sizeOf(value)
  return size
}
