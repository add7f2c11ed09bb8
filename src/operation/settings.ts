import type { SettingRow } from '../error/setting.ts'

/** Settings of requests as such. */
export interface OperationSettings {
  /** The most bytes of a JSON body. @default 1048576 */
  readonly JSON_BODY_LIMIT?: number
  /** Signs what clients get and send back, as the cursors of cursor pages. Anyone who knows it can forge them. */
  readonly SECRET_KEY?: string
}

export const operationSettings: { readonly [Name in keyof Required<OperationSettings>]: SettingRow } = {
  JSON_BODY_LIMIT: { type: 'integer', default: 1_048_576, meaning: 'The most bytes of a JSON body.' },
  SECRET_KEY: {
    type: 'string',
    meaning:
      'Signs what clients get and send back, as the cursors of cursor pages. Keep it secret, and the same on every process.',
  },
}
