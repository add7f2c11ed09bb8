import { authorise } from '../../controller/permissions.ts'
import type { ScopedCall } from '../../controller/scope.ts'
import type { Deletion } from '../../model/model.ts'
import { onceFor } from '../../model/objects.ts'
import { onlyDeleted, withDeleted } from '../../model/soft-deletion.ts'
import type { Steps } from '../../operation/steps.ts'
import { recordsOf } from './records.ts'
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
  const { narrowing } = resource.access
  const { source } = resource.records
  const model = view(resource.model)
  const whole = view(narrowing?.whole.get(model.name) ?? resource.model)
  const records = { ...resource.records, ...recordsOf(source, { model, whole }), sharePage: undefined }
  return { ...resource, model, records }
}

/** Checks the permission `deleted`. @throws HttpError 401, 403 */
export const authoriseDeleted = (
  resource: Pick<Resource, 'access' | 'records'>,
  { call }: ScopedCall,
): Steps<void> => authorise(resource.access, 'deleted', { call, session: resource.records.source })

/** The resource of a request, with the deleted records that it asks for. @throws HttpError 401, 403 */
export function* shownTo(resource: Resource, scoped: ScopedCall, deleted: Deletion): Steps<Resource> {
  yield* authoriseDeleted(resource, scoped)
  const views = seeing(resource)
  return deleted === 'only' ? views.only : views.with
}
