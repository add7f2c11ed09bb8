import { ownValue } from '../model/own-value.ts'
import type { Call } from '../operation/call.ts'
import { type Steps, wait } from '../operation/steps.ts'
import { everything } from '../query/ast.ts'
import type { Row } from '../source/source.ts'
import { SourceError } from '../source/source-error.ts'
import { isMade } from '../upload/storage/storage-key.ts'
import { deleteFiles, type Uploads } from '../upload/uploads.ts'
import type { Resource } from './resource.ts'
import type { Write, Written } from './write.ts'

/** Whether a change may leave files that the record held before. */
export const leavesFiles = ({ files }: Resource, { event, values }: Write): boolean =>
  event !== 'create' &&
  files !== undefined &&
  files.fields.some(({ name }) => event === 'delete' || ownValue(values, name) !== undefined)

/** The keys of the files that a record holds. */
const keysIn = ({ files }: Resource, row: Row = {}): readonly string[] =>
  (files?.fields ?? []).flatMap(({ name }) => {
    const key = ownValue(row, name)
    return typeof key === 'string' ? [key] : []
  })

/**
 * Behind the reply of a write that is committed: deletes the files that the record holds no more, and those of the request
 * that it never did, as a hook put something else in their place.
 */
export const afterWrite = (
  resource: Resource,
  call: Call,
  write: Write,
  { record, before }: Written,
): void => {
  const { files, around } = resource
  if (files === undefined) return
  const { uploads, event } = write
  const held = new Set(event === 'delete' ? [] : keysIn(resource, record))
  uploads?.keep(held)
  // What another program has put there is not ours to delete: several records may share it.
  const stale = keysIn(resource, event === 'delete' ? record : before).filter(
    (key) => !held.has(key) && isMade(key),
  )
  if (stale.length === 0 && uploads === undefined) return
  around.commits.follow(async () => {
    await uploads?.drop()
    await deleteFiles(files.storage, stale, call.log)
  })
}

/**
 * A commit may fail after the database has done it: the connection broke before it could say so. Files that a record holds
 * now, or may hold, must stay.
 */
export function* keepIfStored(
  { store }: Resource,
  call: Call,
  uploads: Uploads,
  thrown: unknown,
): Steps<void> {
  const [first] = uploads.files
  if (first === undefined) return
  const [field, { key }] = first
  const keys = [...uploads.files.values()].map((file) => file.key)
  const keepAll = (error: unknown): void => {
    uploads.keep(keys)
    call.log.error(`It is not known whether a record holds ${keys.join(', ')}: the files stay.`, error)
  }
  // The database may still be doing it: who asks now may ask too early.
  if (thrown instanceof SourceError && thrown.kind === 'lost') return keepAll(thrown)
  try {
    const stored = yield* wait(store.count({ op: 'eq', field, value: key }, everything, 1))
    if (stored > 0) uploads.keep(keys)
  } catch (error) {
    keepAll(error)
  }
}

/** Values without the files that the record holds anyway: a hook may give back the keys that it got with the record. */
export const withoutHeldFiles = ({ files }: Resource, values: object, found: Row | undefined): object => {
  const held = (files?.fields ?? []).filter(({ name }) => {
    const value: unknown = Reflect.get(values, name)
    return typeof value === 'string' && value === ownValue(found, name)
  })
  if (held.length === 0) return values
  return Object.fromEntries(Object.entries(values).filter(([key]) => !held.some(({ name }) => name === key)))
}
