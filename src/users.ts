import { ownRecordOf } from './auth/user/own-record.ts'
import { withPasswordHidden } from './auth/user/password-column.ts'
import type { Users } from './auth/user/users.ts'
import type { Controller } from './controller/controller.ts'
import type { Model } from './model/model.ts'
import type { ModelSource } from './source/source.ts'

/** Models as they are served, and their controllers by the names of the models. */
export interface ServedModels {
  readonly models: readonly Model[]
  readonly controllers: ReadonlyMap<string, Controller>
}

/** Models with the password of the user model hidden. @param user its name, where there is one */
export const withHiddenPassword = (models: readonly Model[], user: string | undefined): readonly Model[] =>
  user === undefined
    ? models
    : Object.freeze(models.map((model) => (model.name === user ? withPasswordHidden(model) : model)))

/**
 * Models and controllers with the rule for users, where their model is among those that are served: callers reach their
 * own record.
 *
 * @throws StartError where the rule cannot hold
 */
export const withOwnRecord = (
  { models, controllers }: ServedModels,
  users: Users | undefined,
  source: ModelSource,
): ServedModels => {
  const model = models.find(({ name }) => name === users?.model.name)
  if (users === undefined || model === undefined) return { models, controllers }
  const served = ownRecordOf({ users, source, own: controllers.get(model.name) })
  return {
    models: Object.freeze(models.map((known) => (known === model ? served.model : known))),
    controllers: new Map([...controllers, [model.name, served.controller]]),
  }
}
