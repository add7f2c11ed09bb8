import { authorise } from '../controller/permissions.ts'
import type { ScopedCall } from '../controller/scope.ts'
import { HttpError, problem } from '../error/errors.ts'
import { type Deletion, isReadable, isWritable } from '../model/model.ts'
import { onceFor, ownValue } from '../model/objects.ts'
import { onlyDeleted, withDeleted } from '../model/soft-deletion.ts'
import { type Steps, wait } from '../operation/steps.ts'
import { haveValues } from '../query/ast.ts'
import { DEFAULT, type Row, SourceError } from '../source/source.ts'
import type { Write } from './record.ts'
import type { Resource } from './resource.ts'

/** The same resource, whose stores also show deleted records of its model, or show only those. */
export const seeing: (resource: Resource) => Readonly<Record<Deletion, Resource>> = onceFor(
  (resource: Resource) => ({
    with: viewed(resource, withDeleted),
    only: viewed(resource, onlyDeleted),
  }),
)

/** Its reads are not shared with other requests. */
const viewed = (resource: Resource, view: typeof withDeleted): Resource => {
  const { model, narrowing, source } = resource
  const whole = view(narrowing?.whole.get(model.name) ?? model)
  const store = source.store(whole)
  return {
    ...resource,
    model: view(model),
    ...{ store, sharedStore: store, sharePage: undefined },
    pageStore: (scoped) => source.store(whole, 'page', scoped),
  }
}

/** Checks the permission `deleted`. @throws HttpError 401, 403 */
export const authoriseDeleted = (resource: Resource, { call }: ScopedCall): Steps<void> =>
  authorise(resource, 'deleted', { call, session: resource.source })

/** The resource of a request, with the deleted records that it asks for. @throws HttpError 401, 403 */
export function* shownTo(resource: Resource, scoped: ScopedCall, deleted: Deletion): Steps<Resource> {
  yield* authoriseDeleted(resource, scoped)
  const views = seeing(resource)
  return deleted === 'only' ? views.only : views.with
}

/** Tells callers who may see deleted records that one of them has the value that a write is refused for. */
export function* namingDeleted<T>(
  resource: Resource,
  scoped: ScopedCall,
  write: Write,
  steps: Steps<T>,
): Steps<T> {
  try {
    return yield* steps
  } catch (error) {
    if (!(error instanceof SourceError && error.kind === 'unique' && error.fields.length > 0)) throw error
    if (!(yield* isHeld(resource, scoped, write, error))) throw error
    throw takenByDeleted(resource, error)
  }
}

/** The same for a transaction of several writes. @param work calls `refused` with the write that is refused */
export function* namingDeletedAmong<T>(
  resource: Resource,
  scoped: ScopedCall,
  work: (refused: (write: Write) => void) => Steps<T>,
): Steps<T> {
  let write: Write | undefined
  try {
    return yield* work((refused) => {
      write = refused
    })
  } catch (error) {
    if (write === undefined || !(error instanceof HttpError)) throw error
    const cause = uniqueCauseOf(error)
    if (cause === undefined || resource.model.softDelete === undefined) throw error
    if (!(yield* isHeld(resource, scoped, write, cause))) throw error
    throw problem('unique_conflict', DETAIL, {
      cause,
      errors: error.errors.map((issue) => ({ ...issue, code: 'taken_by_deleted', detail: DETAIL })),
    })
  }
}

/** Of an error that says where the body has the record. */
const uniqueCauseOf = (error: unknown): SourceError | undefined => {
  if (error instanceof SourceError)
    return error.kind === 'unique' && error.fields.length > 0 ? error : undefined
  return error instanceof HttpError ? uniqueCauseOf(error.cause) : undefined
}

function* maySeeDeleted(resource: Resource, scoped: ScopedCall): Steps<boolean> {
  try {
    yield* authoriseDeleted(resource, scoped)
    return true
  } catch (error) {
    if (error instanceof HttpError) return false
    throw error
  }
}

/** Whether the caller may see deleted records, and one of them in the scope of the caller has the values. */
function* isHeld(
  resource: Resource,
  scoped: ScopedCall,
  { values, key }: Write,
  { fields }: SourceError,
): Steps<boolean> {
  if (!(yield* maySeeDeleted(resource, scoped))) return false
  const { guard } = scoped
  const isWhole = fields.every((name) => ownValue(values, name) !== undefined)
  const stored: Row | undefined =
    isWhole || key === undefined ? undefined : yield* wait(resource.store.read(key, guard))
  const all = fields.map((name) => ownValue(values, name) ?? ownValue(stored, name))
  if (all.some((value) => value === undefined || value === null || value === DEFAULT)) return false
  const { store } = seeing(resource).only
  return (yield* wait(store.count(haveValues(fields, all), guard, 1))) > 0
}

const DETAIL = 'A deleted record already has this value. Restore it, or send another value.'

const takenByDeleted = ({ model }: Resource, cause: SourceError): Error =>
  problem('unique_conflict', DETAIL, {
    cause,
    errors: model.fields
      .filter((field) => cause.fields.includes(field.name) && (isReadable(field) || isWritable(field)))
      .map(({ name }) => ({ pointer: `/${name}`, code: 'taken_by_deleted' as const, detail: DETAIL })),
  })
