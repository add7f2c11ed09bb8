import type { Host } from './host/host.ts'
import { fileFieldsOf } from './model/file-fields.ts'
import type { Model } from './model/model.ts'
import { type ModelRestOptions, resolveSettings } from './options.ts'
import type { SigningKey } from './signing-key.ts'
import type { Media } from './upload/media/media.ts'
import { readMediaUrl } from './upload/media/media-settings.ts'

/** What options and settings say about the URLs of files. @throws StartError */
export const mediaOf = (
  options: ModelRestOptions<unknown>,
  { base }: Pick<Host, 'base'>,
  models: readonly Model[],
  signingKey: SigningKey,
): Media => {
  const settings = resolveSettings(options.settings)
  const url = readMediaUrl(settings.MEDIA_URL ?? `${base}/media/`)
  const isSigned =
    (options.auth ?? false) !== false &&
    options.storage?.signedUrl === undefined &&
    models.some((model) => fileFieldsOf(model).length > 0)
  const secret = isSigned ? signingKey('files') : undefined
  return { url, secret, seconds: settings.MEDIA_URL_EXP }
}
