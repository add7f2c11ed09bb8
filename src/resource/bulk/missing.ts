import { type Issue, pointerTo, problem } from '../../error/errors.ts'
import type { Model } from '../../model/model.ts'

/** The error for records of a body that do not exist. @param paths where the body has them */
export const missingAt = (model: Model, paths: readonly (readonly PropertyKey[])[]): Error => {
  const detail = `This ${model.name} does not exist.`
  const errors = paths.map((path): Issue => ({ pointer: pointerTo(path), code: 'not_found', detail }))
  return problem('not_found', detail, { errors })
}
