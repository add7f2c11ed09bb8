import type { SettingRow } from '../error/setting.ts'

/** Settings of requests as such. */
export interface OperationSettings {
  /** The most bytes of a JSON body. @default 1048576 */
  readonly JSON_BODY_LIMIT?: number
  /** Signs tokens, cursors and URLs of files. At least 32 bytes. Anyone who knows it can forge them. */
  readonly SECRET_KEY?: string | undefined
  /** Seconds that a transaction may last before it is undone, where the database's driver can wait. @default 5 */
  readonly TRANSACTION_TIMEOUT?: number
  /** How often what others undid, as in a deadlock, is done again. A driver that is synchronous never is. @default 3 */
  readonly DATABASE_RETRIES?: number
}

export const operationSettings: { readonly [Name in keyof Required<OperationSettings>]: SettingRow } = {
  JSON_BODY_LIMIT: { type: 'integer', default: 1_048_576, meaning: 'The most bytes of a JSON body.' },
  SECRET_KEY: {
    type: 'string',
    meaning:
      'Signs tokens, cursors and URLs of files. At least 32 bytes. Keep it secret, and the same on every process.',
  },
  TRANSACTION_TIMEOUT: {
    type: 'integer',
    default: 5,
    meaning:
      'Seconds that a transaction may last before it is undone. With a synchronous driver it is one tick in any case.',
  },
  DATABASE_RETRIES: {
    type: 'integer',
    default: 3,
    least: 0,
    most: 10,
    meaning:
      'How often what others undid, as in a deadlock, is done again, up to 10. With 0 reads are not asked again either whose connection broke. A synchronous driver repeats nothing.',
  },
}
