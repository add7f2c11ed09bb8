import { StartError, suggest } from '../error/start-error.ts'
import type { Model } from './model.ts'
import type { AppIn, NameInApp } from './model-types.ts'
import { ownValue } from './own-value.ts'
import { isPlainObject } from './plain-object.ts'

/**
 * App label -> what of it is not served: `true` the whole app, a set or array those models, `null` nothing
 * (specification, 1.1). Internal models are left out as well, unless their app is named with `null`.
 */
export type Exclude<Types = unknown> = {
  readonly [App in AppIn<Types>]?:
    | true
    | ReadonlySet<NameInApp<Types, App>>
    | readonly NameInApp<Types, App>[]
    | null
    | undefined
}

/** The models that are left. @throws StartError for an unknown app or model. */
export const withoutExcluded = (models: readonly Model[], exclude: Exclude): readonly Model[] => {
  if (!isPlainObject(exclude)) throw new StartError("exclude must be an object, as { shop: ['AuditEntry'] }.")
  const apps = new Set(models.map((model) => model.app))
  for (const [app, what] of Object.entries(exclude)) {
    if (!apps.has(app)) throw new StartError(`exclude: there is no app ${app}.${suggest(app, apps)}`)
    assertModels(app, what, models)
  }
  return models.filter((model) => !isExcluded(model, ownValue(exclude, model.app)))
}

const isExcluded = (model: Model, what: Exclude[string]): boolean =>
  what === true || (what !== null && what !== undefined && new Set(what).has(model.name))

const assertModels = (app: string, what: Exclude[string], models: readonly Model[]): void => {
  if (what === true || what === null || what === undefined) return
  if (!(what instanceof Set || Array.isArray(what))) {
    throw new StartError(`exclude.${app} must be true, a set or array of model names, or null.`)
  }
  const names = models.filter((model) => model.app === app).map((model) => model.name)
  for (const name of what) {
    if (!names.includes(name))
      throw new StartError(`exclude.${app}: the app has no model ${name}.${suggest(name, names)}`)
  }
}
