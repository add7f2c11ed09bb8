import { StartError, suggest } from '../error/errors.ts'
import type { Model } from './model.ts'

/** A model's name in the form of settings, `app.Model`. */
export const nameOf = ({ app, name }: Pick<Model, 'app' | 'name'>): string => `${app}.${name}`

/**
 * The model that a setting names.
 *
 * @param named `app.Model`
 * @throws StartError for an unknown name
 */
export const modelNamed = (models: readonly Model[], setting: string, named: string): Model => {
  const model = models.find((known) => nameOf(known) === named)
  if (model !== undefined) return model
  throw new StartError(
    `The setting ${setting} names the unknown model ${named}.${suggest(named, models.map(nameOf))}`,
  )
}
