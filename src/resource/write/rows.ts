import type { ScopedCall } from '../../controller/scope.ts'
import { pauses, type Steps, wait } from '../../operation/steps.ts'
import { mostKeys } from '../../source/record-keys.ts'
import { totalBytes } from '../../source/sizing.ts'
import type { Row } from '../../source/source.ts'
import { assertSize, heldAdmits, holdDecoded, writtenBytes } from '../parts/bounded-rows.ts'
import type { WriteTarget } from '../parts/target.ts'
import { among, keyIn } from './keys.ts'

/** How the records that match are written. */
interface MatchingWrite {
  /** Whether a hook, a permission or a file needs all of the records. */
  readonly isKept: boolean
  readonly isDelete: boolean
  /** What is stored in each of them, in JSON. */
  readonly bytes: number
}

/**
 * The records with these keys, or only their keys if nothing gets them all.
 *
 * @throws HttpError 400 `page_too_large` if their transaction would read and write too much
 */
export function* rowsToWrite(
  target: WriteTarget,
  scoped: ScopedCall,
  found: readonly Row[],
  { isKept, isDelete, bytes }: MatchingWrite,
): Steps<readonly Row[]> {
  const { resource } = target
  const { audited } = resource.records
  const copies = audited === undefined ? 1 : 2
  const sent = copies * bytes * found.length
  assertSize(resource, sent)
  const isRead = isKept || !isDelete || audited !== undefined
  if (!isRead) return found
  const keys = found.map((row) => keyIn(target, row))
  const read = yield* measured(target, scoped, keys, { isDecoded: isKept, copies, before: sent })
  // One after the other: the record as it was, as it is stored, and the entry of both.
  if (!isKept) yield* holdDecoded(resource.records, scoped, copies * (bytes + read.largest))
  else yield* holdDecoded(resource.records, scoped, sent)
  return isKept ? read.rows : found
}

/** The records with these keys. @throws HttpError 400 `page_too_large` */
export function* rowsWithKeys(
  target: WriteTarget,
  scoped: ScopedCall,
  keys: readonly (readonly unknown[])[],
): Steps<readonly Row[]> {
  return (yield* measured(target, scoped, keys, { isDecoded: true, copies: 1, before: 0 })).rows
}

/** The number of records in the first part, whose sizes are not known. */
const FIRST = 20

/** Reads records in parts, so that those that are too large together are not all in memory before they are refused. */
function* measured(
  target: WriteTarget,
  scoped: ScopedCall,
  keys: readonly (readonly unknown[])[],
  {
    isDecoded,
    copies,
    before,
  }: { readonly isDecoded: boolean; readonly copies: number; readonly before: number },
): Steps<{ readonly rows: readonly Row[]; readonly largest: number }> {
  const { resource } = target
  const { records, model } = resource
  const most = writtenBytes(resource)
  const longest = mostKeys(model.primaryKey)
  const order = model.primaryKey.map((field) => ({ field, direction: 'asc' as const }))
  const rows: Row[] = []
  const pause = pauses()
  let [bytes, largest, length] = [0, 0, FIRST]
  for (let at = 0; at < keys.length; ) {
    const part = keys.slice(at, at + length)
    at += part.length
    const selection = { filter: among(target, part), order, limit: part.length, offset: 0 }
    let own = 0
    const admits = heldAdmits(resource, scoped.call, (sizes) => {
      // A source may repeat a read after a broken connection.
      own = totalBytes(sizes)
      for (const size of sizes) largest = Math.max(largest, size)
      return isDecoded && before + copies * (bytes + own) <= most
    })
    const found = yield* wait(records.list(scoped, selection, admits))
    assertSize(resource, before + copies * (bytes + own))
    bytes += own
    rows.push(...found)
    const average = Math.max(1, bytes / at)
    length = Math.max(1, Math.min(longest, Math.floor(most / average)))
    yield* pause()
  }
  return { rows, largest }
}
