import type { ModelConfigs } from './configure.ts'
import type { Exclude } from './exclude.ts'
import type { Model } from './model.ts'
import { ownValue } from './own-value.ts'
import { type SecretFields, secretKeyOf } from './secret.ts'

/** Apps whose models are not served, unless the application says so. */
const internalApps: ReadonlySet<string> = new Set(['auth'])

/** What decides whether models are left out. */
export interface InternalRules {
  readonly exclude: Exclude
  readonly configs: ModelConfigs
  /** The name of the model of those who log in. */
  readonly userModel: string | undefined
  readonly secret: SecretFields
}

/**
 * Whether a model is left out although nothing excludes it: one whose key is a secret, which would stand in every URL and
 * list; one of an internal app, a table of the ORM's own, or the user model. `modelConfig` decides first. An `exclude` that
 * names the app with `null` opens all but the first.
 */
export const isInternal = (model: Model, { exclude, configs, userModel, secret }: InternalRules): boolean => {
  const chosen = ownValue(configs, model.name)?.internal
  if (chosen !== undefined) return chosen
  if (secretKeyOf(model, secret).length > 0) return true
  return (
    ownValue(exclude, model.app) !== null &&
    (model.internal === true || internalApps.has(model.app) || model.name === userModel)
  )
}
