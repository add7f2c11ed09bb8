import type { SettingRow } from '../error/setting.ts'

/** Settings of requests as such. */
export interface OperationSettings {
  /** The most bytes of a JSON body. @default 1048576 */
  readonly JSON_BODY_LIMIT?: number
  /** Signs what clients get and send back, as the cursors of cursor pages. Anyone who knows it can forge them. */
  readonly SECRET_KEY?: string | undefined
  /** Seconds that a transaction may last before it is undone, where the database's driver can wait. @default 5 */
  readonly TRANSACTION_TIMEOUT?: number
}

export const operationSettings: { readonly [Name in keyof Required<OperationSettings>]: SettingRow } = {
  JSON_BODY_LIMIT: { type: 'integer', default: 1_048_576, meaning: 'The most bytes of a JSON body.' },
  SECRET_KEY: {
    type: 'string',
    meaning:
      'Signs what clients get and send back, as the cursors of cursor pages. Keep it secret, and the same on every process.',
  },
  TRANSACTION_TIMEOUT: {
    type: 'integer',
    default: 5,
    meaning:
      'Seconds that a transaction may last before it is undone. With a synchronous driver it is one tick in any case.',
  },
}
