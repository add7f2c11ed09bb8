import type { ModelConfigs } from './configure.ts'
import type { Exclude } from './exclude.ts'
import type { Model } from './model.ts'

/** Apps whose models are nobody's business, unless the application says so. */
const internalApps: ReadonlySet<string> = new Set(['auth'])

/**
 * Whether a model is left out although nothing excludes it: one of an internal app, or a table of the ORM's own.
 * `modelConfig` decides first, then an `exclude` that names its app with `null`.
 */
export const isInternal = (model: Model, exclude: Exclude, configs: ModelConfigs): boolean => {
  const chosen = configs[model.name]?.internal
  if (chosen !== undefined) return chosen
  return exclude[model.app] !== null && (model.internal === true || internalApps.has(model.app))
}
