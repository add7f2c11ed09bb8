import type { ScopedCall } from '../../controller/scope.ts'
import { problem } from '../../error/errors.ts'
import { after } from '../../model/objects.ts'
import { holdJson, type Lease, type Requester, UNCOUNTED } from '../../operation/memory-budget.ts'
import { type Steps, wait } from '../../operation/steps.ts'
import type { Selection } from '../../query/ast.ts'
import { JSON_FACTOR, sizingOf, totalBytes } from '../../source/sizing.ts'
import type { Admits, Awaitable, Row } from '../../source/source.ts'
import type { RecordScope, ScopedReads } from './records.ts'
import type { ModelRecords, Resource } from './resource.ts'

/** A transaction of a synchronous driver lasts one tick and blocks all other requests, so it may use an eighth of what a page may. */
const TICK = 8

/** A request may decode four times the budget; with the default, half of the heap. */
const MOST_BUDGETS = 4

type Budgeted = Pick<Resource, 'records' | 'rules'>

/** The bytes of records and values that one request may write. */
export const writtenBytes = ({ rules: { pageBytes }, records: { source, memory } }: Budgeted): number =>
  Math.min(
    source.capabilities.synchronous === true ? pageBytes / TICK : pageBytes,
    (MOST_BUDGETS * memory.size) / JSON_FACTOR,
  )

/** @throws HttpError 400 `page_too_large` for more bytes than one request may write */
export const assertSize = (resource: Budgeted, bytes: number): void => {
  const most = Math.floor(writtenBytes(resource))
  if (bytes > most)
    throw problem(
      'page_too_large',
      `The records are larger than ${most} bytes together. Write fewer of them in one request.`,
    )
}

/** Holds the memory of JSON of so many bytes, decoded. */
export const holdDecoded = ({ memory }: ModelRecords, { call }: ScopedCall, bytes: number): Steps<void> =>
  wait(holdJson(memory, call, bytes))

/** Reads lists that together are not larger than one request may write. @throws HttpError 400 `page_too_large` */
export const boundedRows = (resource: Budgeted) => {
  const most = writtenBytes(resource)
  let bytes = 0
  return function* (records: ScopedReads, scope: RecordScope, selection: Selection): Steps<readonly Row[]> {
    let own = 0
    const found = yield* wait(
      records.list(scope, selection, (sizes) => {
        // A source may repeat a read after a broken connection.
        own = totalBytes(sizes)
        return bytes + own <= most
      }),
    )
    bytes += own
    assertSize(resource, bytes)
    return found
  }
}

/** The memory that one request may take for what it reads: text of two pages always, and JSON as for writes. */
const readMemory = ({ rules: { pageBytes }, records: { memory } }: Budgeted): number =>
  Math.max(2 * pageBytes, MOST_BUDGETS * memory.size)

/**
 * Admits rows that fit the response once the request holds the memory that they take.
 *
 * @throws HttpError 400 `page_too_large` for several that take more than one request may
 */
export const heldAdmits = (
  bounds: Budgeted,
  call: Requester,
  fits: (sizes: readonly number[]) => boolean,
): Admits => {
  const { memory } = bounds.records
  let held = 0
  return (sizes, bytes = totalBytes(sizes)) => {
    if (!fits(sizes)) return false
    if (bytes <= UNCOUNTED && held === 0) return true
    // A source may retry a read after a broken connection. The same rows count once.
    const lease: Lease = memory.of(call)
    const more = bytes - held
    if (sizes.length > 1 && lease.held + more > readMemory(bounds)) throw tooMuchMemory(readMemory(bounds))
    held = bytes
    if (more <= 0) lease.give(-more)
    return more <= 0 || after(lease.take(more), () => true)
  }
}

/** Reads a record, once the request holds what a large one of the model takes in memory. */
export const heldRead = <T>(
  { model, records: { memory } }: Pick<Resource, 'model' | 'records'>,
  call: Requester,
  read: () => Awaitable<T>,
): Awaitable<T> => {
  const bytes = sizingOf(model).atMost()
  return bytes > UNCOUNTED ? after(memory.of(call).take(bytes), read) : read()
}

const tooMuchMemory = (most: number): Error =>
  problem(
    'page_too_large',
    `The records take more than ${most} bytes of memory, where JSON counts ${JSON_FACTOR} times. Request fewer records or fields.`,
  )
