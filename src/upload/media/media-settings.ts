import type { SettingRow } from '../../error/setting.ts'
import { StartError } from '../../error/start-error.ts'

/** Settings of the URLs of files. */
export interface MediaSettings {
  /**
   * What stands before the path of a file in replies: a path or a whole URL. Files are served below `media/` of the API
   * in any case; where it says something else, a proxy has to lead there. @default `media/` below the base of the API
   */
  readonly MEDIA_URL?: string
  /**
   * Seconds that a signed URL of a file holds at least. All of that time, and up to as long again, it stays the same, so
   * that replies can be cached. Up to 302400. @default 3600
   */
  readonly MEDIA_URL_EXP?: number
}

export const mediaSettings: { readonly [Name in keyof Required<MediaSettings>]: SettingRow } = {
  MEDIA_URL: {
    type: 'string',
    otherwise: '`media/` below the base of the API',
    meaning:
      'What stands before the path of a file in replies: a path or a whole URL. Files are served below `media/` of the API; where it says something else, a proxy has to lead there.',
  },
  MEDIA_URL_EXP: {
    type: 'integer',
    default: 3600,
    // S3 takes a week at most, and a URL holds up to twice as long.
    most: 302_400,
    meaning: 'Seconds that a signed URL of a file holds at least, and less than twice as long, up to 302400.',
  },
}

/** A path or URL with a slash at its end. @throws StartError for what is neither */
export const readMediaUrl = (given: string): string => {
  if (!/^(https?:\/\/[^/?#\s]+)?(\/[^/?#\s]+)*\/?$/i.test(given) || given === '')
    throw new StartError(
      'The setting MEDIA_URL must be a path as /media/, or a URL as https://files.example.com/.',
    )
  return given.endsWith('/') ? given : `${given}/`
}
