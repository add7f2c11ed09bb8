import type { Model } from './model.ts'
import { looksSecret } from './secret.ts'

/** The fields that nobody may read because of their name: said once at start. */
export const hiddenByName = (models: readonly Model[]): readonly string[] =>
  models.flatMap((model) =>
    model.fields
      .filter((field) => field.access === 'write-only' && looksSecret(field))
      .map((field) => `${model.name}.${field.name}`),
  )
