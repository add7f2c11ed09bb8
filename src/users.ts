import { ownRecordOf, powersOf } from './auth/user/own-record.ts'
import { withPasswordHidden } from './auth/user/password-column.ts'
import type { Users } from './auth/user/users.ts'
import type { Controller } from './controller/controller.ts'
import { StartError } from './error/start-error.ts'
import type { ModelConfig, ModelConfigs } from './model/configure.ts'
import type { Model } from './model/model.ts'
import { ownValue } from './model/own-value.ts'
import type { CustomBodies } from './schema/custom/custom-body.ts'
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

/** What the rule for users makes of an application. */
export interface RuledModels extends ServedModels {
  /** What the log should warn of. */
  readonly notes: readonly string[]
}

/**
 * Models and controllers with the rule for users, where their model is among those that are served: callers reach their
 * own record, and write what registration takes and what `modelConfig` opens.
 *
 * @throws StartError where the rule cannot hold
 */
export const withOwnRecord = (
  { models, controllers }: ServedModels,
  users: Users | undefined,
  {
    models: source,
    modelConfig = {},
  }: { readonly models: ModelSource<unknown>; readonly modelConfig?: ModelConfigs },
): RuledModels => {
  const model = models.find(({ name }) => name === users?.model.name)
  for (const [name, config] of Object.entries<ModelConfig | undefined>(modelConfig)) {
    if (config?.writable !== undefined && name !== model?.name) throw noUserModel(name)
  }
  if (users === undefined || model === undefined) return { models, controllers, notes: [] }
  const {
    model: served,
    controller,
    notes,
  } = ownRecordOf({
    ...{ users, served: model, source, own: controllers.get(model.name) },
    opened: ownValue<ModelConfig | undefined>(modelConfig, model.name)?.writable ?? [],
  })
  return {
    models: Object.freeze(models.map((known) => (known === model ? served : known))),
    controllers: new Map([...controllers, [model.name, controller]]),
    notes,
  }
}

const noUserModel = (name: string): StartError =>
  new StartError(
    `modelConfig.${name}.writable: ${name} is not a user model that is served with auth, so its columns are writable unless readOnly names them. Remove writable.`,
  )

/** What start-up should warn of: columns with power that a schema of the application's own takes. */
export const customPowers = (
  users: Users | undefined,
  bodies: ReadonlyMap<string, CustomBodies>,
): readonly string[] => {
  if (users === undefined) return []
  const { create, update } = bodies.get(users.model.name) ?? {}
  return [create, update].flatMap((body) => {
    const names = powersOf(users).filter((name) => body?.declared.has(name))
    return body === undefined || names.length === 0
      ? []
      : [`${body.place} takes ${names.join(', ')}, which may give a user power.`]
  })
}
