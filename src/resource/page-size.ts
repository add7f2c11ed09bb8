import { problem } from '../error/http-error.ts'
import type { Admits } from '../source/source.ts'
import type { Resource } from './resource.ts'

type Bounds = Pick<Resource, 'pageBytes' | 'rules'>

export const tooLarge = ({ pageBytes, rules }: Bounds): Error => {
  const remedy = rules.paging === 'page-number' ? 'Choose' : 'Use a smaller `limit`, or choose'
  return problem('page_too_large', `The page has more than ${pageBytes} bytes. ${remedy} fewer \`fields\`.`)
}

/** Holds what is read of one page to the bytes that a page may have, before it is decoded. */
export interface PageScale {
  readonly admits: Admits
  /** The next range of the page follows. @throws HttpError 400 `page_too_large` where the last one was not admitted */
  next(): void
}

/** @param limit the most records that the page shows: those read beside them do not count */
export const pageScale = (bounds: Bounds, limit: number): PageScale => {
  let before: Weighed = nothing
  let last: Weighed = nothing
  return {
    admits: (sizes) => {
      // A source may read again what a broken connection took: the same rows count once.
      last = sum(before, sizes, limit)
      return isWithin(bounds, last)
    },
    next: () => {
      if (!isWithin(bounds, last)) throw tooLarge(bounds)
      before = last
    },
  }
}

interface Weighed {
  readonly rows: number
  readonly bytes: number
}

const nothing: Weighed = { rows: 0, bytes: 0 }

const sum = (before: Weighed, sizes: readonly number[], limit: number): Weighed => {
  let { rows, bytes } = before
  for (const size of sizes.slice(0, limit - rows)) {
    rows += 1
    bytes += size
  }
  return { rows, bytes }
}

const isWithin = ({ pageBytes }: Bounds, { rows, bytes }: Weighed): boolean => rows <= 1 || bytes <= pageBytes
