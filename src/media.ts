import { randomBytes } from 'node:crypto'
import { StartError } from './error/start-error.ts'
import type { Host } from './host/host.ts'
import { fileFieldsOf } from './model/file-fields.ts'
import type { Model } from './model/model.ts'
import { type ModelRestOptions, type ResolvedSettings, resolveSettings } from './options.ts'
import type { Media } from './upload/media/media.ts'
import { readMediaUrl } from './upload/media/media-settings.ts'

/** What options and settings say about the URLs of files. @throws StartError */
export const mediaOf = (
  options: ModelRestOptions<unknown>,
  { base, log }: Pick<Host, 'base' | 'log'>,
  models: readonly Model[],
): Media => {
  const settings = resolveSettings(options.settings)
  const url = readMediaUrl(settings.MEDIA_URL ?? `${base}/media/`)
  const isSigned =
    (options.auth ?? false) !== false &&
    options.storage?.signedUrl === undefined &&
    models.some((model) => fileFieldsOf(model).length > 0)
  const secret = isSigned ? secretOf(settings, (line) => log.warn(line)) : undefined
  return { url, secret, seconds: settings.MEDIA_URL_EXP }
}

/** Without a key, URLs that this process signs are worth nothing to another. */
const secretOf = ({ SECRET_KEY }: ResolvedSettings, warn: (line: string) => void): string => {
  if (SECRET_KEY !== undefined && SECRET_KEY !== '') return SECRET_KEY
  const remedy = 'Give it one: settings: defineSettings({ SECRET_KEY: process.env.SECRET_KEY }).'
  if (process.env['NODE_ENV'] === 'production')
    throw new StartError(`URLs of files need the setting SECRET_KEY in production. ${remedy}`)
  warn(`There is no SECRET_KEY: URLs of files end with this process. ${remedy}`)
  return randomBytes(32).toString('base64url')
}
