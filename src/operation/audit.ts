import { isDeepStrictEqual } from 'node:util'
import { pointerTo } from '../error/errors.ts'
import type { Audited } from '../model/audit.ts'
import { Unrepresentable } from '../model/codec.ts'
import { kinds, timeIn, writeKey } from '../model/kinds/index.ts'
import { isSameJson } from '../model/kinds/json.ts'
import { type Field, type FieldKind, fieldOf, isReadable, type Model } from '../model/model.ts'
import { ownValue, type Values } from '../model/objects.ts'
import { bodyRefusal } from '../schema/issues.ts'
import type { Row, Session } from '../source/source.ts'
import type { Call, Caller } from './call.ts'
import { type Steps, waitInAnyMode } from './steps.ts'

/** Who is recorded as the author of a write. */
export interface Author extends Pick<Call, 'caller'> {
  /** What the application's own columns of the entry get. @default their defaults */
  readonly columns?: Row
}

/** A record before and after a write. */
export interface AuditedChange {
  readonly event: 'create' | 'update' | 'delete'
  readonly before?: Row | undefined
  readonly after?: Row | undefined
}

/**
 * Records a write in its transaction, unless it changed nothing.
 *
 * @throws HttpError 422 `too_long` if the entry has no room for the key of the record
 */
export function* recordWrite(
  audited: Audited,
  author: Author,
  change: AuditedChange,
  session: Session,
): Steps<void> {
  const entry = entryOf(audited, author, change)
  if (entry !== undefined) yield* waitInAnyMode(session.store(audited.entries).create(entry))
}

/** The same for records that are created together. @throws HttpError 422 as for one */
export function* recordCreates(
  audited: Audited,
  author: Author,
  rows: readonly Row[],
  session: Session,
): Steps<void> {
  const entries = rows.flatMap((after): readonly Row[] => {
    const entry = entryOf(audited, author, { event: 'create', after })
    return entry === undefined ? [] : [entry]
  })
  const store = session.store(audited.entries)
  if (store.createMany !== undefined) yield* waitInAnyMode(store.createMany(entries))
  else for (const entry of entries) yield* waitInAnyMode(store.create(entry))
}

const entryOf = (
  { entries, model }: Audited,
  { caller: by, columns }: Author,
  { event, before, after }: AuditedChange,
): Row | undefined => {
  const row = before ?? after
  if (row === undefined) return undefined
  const changes = changesOf(model, before, after)
  if (Object.keys(changes).length === 0) return undefined
  const record = writeKey(model, row)
  if (record.length > roomOf(entries, 'record')) throw unrecordable(model, roomOf(entries, 'record'))
  const caller = by === undefined ? null : String(by.id)
  if (caller !== null && caller.length > roomOf(entries, 'caller'))
    throw new Error(`The id of the caller does not fit into the field caller of ${entries.name}.`)
  const at = timeIn(fieldOf(entries, 'at'), Date.now())
  return { ...keyIn(entries, by), ...columns, at, caller, act: event, model: model.name, record, changes }
}

/** The API key that the caller used, if the entry has a field for it. */
const keyIn = ({ fields }: Model, caller: Caller | undefined): Row => {
  const field = fields.find(
    ({ name, kind, nullable }) => name === 'api_key_id' && kind === 'text' && nullable,
  )
  if (field === undefined) return {}
  const { id } = Object(caller?.claims['api_key'])
  return { [field.name]: typeof id === 'string' ? id : null }
}

const roomOf = (entries: Model, name: string): number =>
  fieldOf(entries, name).maxLength ?? Number.POSITIVE_INFINITY

const unrecordable = ({ primaryKey }: Model, most: number): Error =>
  bodyRefusal(
    primaryKey.map((name) => ({
      ...{ pointer: pointerTo([name]), code: 'too_long' },
      detail: `${name} must have at most ${most} characters in percent-encoded form, because the audit log has no room for more.`,
    })),
  )

/** Field -> its values. A field that clients cannot read is only named. */
const changesOf = (model: Model, before: Row | undefined, after: Row | undefined): Values => {
  const changed = model.fields.filter(
    ({ name, kind }) =>
      before === undefined ||
      after === undefined ||
      !isEqual(kind, ownValue(before, name), ownValue(after, name)),
  )
  return Object.fromEntries(
    changed.map((field) => [
      field.name,
      isReadable(field)
        ? { ...(before && { before: jsonOf(field, before) }), ...(after && { after: jsonOf(field, after) }) }
        : {},
    ]),
  )
}

const isEqual = (kind: FieldKind, one: unknown, other: unknown): boolean =>
  kind === 'json' ? isSameJson(one, other) : isDeepStrictEqual(one, other)

/** Null also for a value that cannot be shown. */
const jsonOf = (field: Field, row: Row): unknown => {
  const value = ownValue(row, field.name) ?? null
  try {
    return value === null ? null : kinds[field.kind].write(value, field)
  } catch (error) {
    if (error instanceof Unrepresentable) return null
    throw error
  }
}
