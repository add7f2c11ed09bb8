import { StartError } from '../error/errors.ts'
import { isOwnCode } from '../error/own-codes.ts'
import type { Host } from '../host/host.ts'
import type { Operation } from '../operation/operation.ts'
import type { ModelAction } from '../resource/parts/declared.ts'
import type { Resource } from '../resource/parts/resource.ts'

type Actionable = Pick<Resource, 'model' | 'access' | 'bodies' | 'rules'>

/** @throws StartError if the path or `operationId` of an action belongs to a relation, to another operation or to the application */
export const assertActions = (
  host: Pick<Host, 'base' | 'serves'>,
  resources: readonly Actionable[],
  operations: readonly Operation[],
): void => {
  for (const resource of resources)
    for (const action of resource.bodies.actions)
      if (action.own === undefined) assertAction(host, resource, action, operations)
}

const assertAction = (
  host: Pick<Host, 'base' | 'serves'>,
  { model, access: { controller }, rules: { relations, codes: known = {} } }: Actionable,
  { name, id, on, segment, codes = [] }: ModelAction,
  operations: readonly Operation[],
): void => {
  const place = `${controller?.place}: actions.${name}`
  const unknown = codes.find((code) => isOwnCode(code) && !Object.hasOwn(known, code))
  if (unknown !== undefined)
    throw new StartError(
      `${place}.codes: the code ${unknown} has no status. List it: openapi: { codes: { ${unknown}: { status: 409, title: '…' } } }.`,
    )
  const path = `/${model.path}${on === 'record' ? '/{id}' : ''}/${segment}`
  const relation = relations.find(
    (known) => on === 'record' && known.kind === 'to-many' && known.name === segment,
  )
  if (relation !== undefined)
    throw new StartError(
      `${place}: the relation ${relation.name} of ${model.name} has the same path ${path}. Rename the action, or set modelConfig: { ${model.name}: { relations: { ${relation.name}: '…' } } }.`,
    )
  const isOwn = (operation: Operation): boolean =>
    operation.model === model.name && operation.id === id && operation.path === path
  // A slash at the end makes no difference.
  const hasPath = (operation: Operation): boolean =>
    operation.method === 'POST' && operation.path.replace(/\/$/, '') === path
  const other = operations.find(
    (operation) => !isOwn(operation) && (operation.id === id || hasPath(operation)),
  )
  if (other !== undefined)
    throw new StartError(
      `${place}: its operation ${id} (POST ${path}) collides with ${other.id} (${other.method} ${other.path}). Rename the action.`,
    )
  if (host.serves?.('POST', `${host.base}${path}`))
    throw new StartError(
      `${place}: the application already serves POST ${host.base}${path}. Remove that route, or rename the action.`,
    )
}
