import { type Verb, verbs } from '../../controller/permissions.ts'
import type { Operation } from '../../operation/operation.ts'
import { isPresented } from '../parts/record.ts'
import { isScoped, type Resource } from '../parts/resource.ts'
import { nestedOf } from '../parts/target.ts'

/** Whether a hook or custom schema of the application may refuse the request. */
export const isHooked = (resource: Pick<Resource, 'access' | 'bodies'>, verb: Verb): boolean => {
  const { bodies } = resource
  const { controller } = resource.access
  const { act } = verbs[verb]
  const hookName = new RegExp(`^(before|after)${verb === 'list' ? verb : act}$`, 'i')
  return (
    Object.keys(controller?.hooks ?? {}).some((name) => hookName.test(name)) ||
    (act === 'read' && isPresented(resource)) ||
    Object.entries(bodies.isCustom).some(([which, custom]) => which === verb && custom)
  )
}

/** Whether any function of the application may refuse the request. */
const runsApplication = (resource: Pick<Resource, 'access' | 'bodies'>, verb: Verb): boolean =>
  isHooked(resource, verb) ||
  isScoped(resource) ||
  typeof resource.access.permissions[verbs[verb].act] === 'function' ||
  resource.access.ownAuthentication === true

/** The codes of the application that an operation may send. */
export const ownCodesOf = (resource: Resource, verb: Verb): Pick<Operation, 'codes'> => {
  const { codes } = resource.rules
  const runs =
    runsApplication(resource, verb) ||
    // Its bodies create, change and delete other records.
    (verb in bodyVerbs &&
      nestedOf(resource).some(({ resource: target }) =>
        writes.some((write) => runsApplication(target, write)),
      ))
  return codes !== undefined && runs ? { codes } : {}
}

const bodyVerbs = { create: true, update: true, replace: true }
const writes = ['create', 'update', 'delete'] as const
