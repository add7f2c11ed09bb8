import type { resolveServiceAuth } from '../auth/settings/index.ts'
import { unfinishedUsers } from '../auth/users/unfinished.ts'
import type { Model } from '../model/model.ts'
import { assertUserNames, type NamingOptions } from '../model/setup/field-config.ts'
import { withNames } from '../source/renamed.ts'
import { softlyDeletedModels, withSoftDeletion } from '../source/soft-deletion.ts'
import type { ModelSource } from '../source/source.ts'
import { withVersions } from '../source/versions.ts'

/** What stands in front of a source. */
export interface Layers extends Required<NamingOptions> {
  /** The models with the names and deletions that the options say. */
  readonly models: readonly Model[]
  /** Only the innermost layer: the source with these names. */
  readonly named: ModelSource<unknown>
  /** All layers. @param configured the models with all their options @throws StartError */
  source(configured: readonly Model[]): ModelSource<unknown>
}

/**
 * The layers in front of a source, the innermost first: names, versions, deletions. A soft deletion is an update, which raises the
 * version.
 *
 * @param user the user model, whose fields keep their names
 * @param registration the settings of the service, if users register there
 * @throws StartError
 */
export const layersOn = (
  source: ModelSource<unknown>,
  options: NamingOptions,
  user: Model | undefined,
  registration: ReturnType<typeof resolveServiceAuth> | undefined,
): Layers => {
  assertUserNames(user, options.modelConfig)
  const { source: named, ...naming } = withNames(source, options)
  const pending = registration && unfinishedUsers(user, registration)
  const models = softlyDeletedModels(named, naming.modelConfig, pending)
  return {
    ...{ ...naming, named, models },
    source: (configured) => withSoftDeletion(withVersions(named, configured), models),
  }
}
