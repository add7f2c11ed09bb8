import { MOST_SECONDS, type SettingRow } from '../error/setting.ts'
import type { BodyBounds } from './operation.ts'

/** Settings of requests as such. */
export interface OperationSettings {
  /** The most bytes of a JSON body. @default 1048576 */
  readonly JSON_BODY_LIMIT?: number
  /** Seconds that a JSON body may take to arrive. @default 30 */
  readonly JSON_BODY_TIMEOUT?: number
  /** The most bytes of the records of a page, up to 268435456. @default 16777216 */
  readonly RESPONSE_MAX_BYTES?: number
  /** Signs tokens, cursors and URLs of files. At least 32 bytes. Anyone who knows it can forge them. */
  readonly SECRET_KEY?: string | undefined
  /** Seconds that a transaction may last before it is undone, where the database's driver can wait. @default 5 */
  readonly TRANSACTION_TIMEOUT?: number
  /** How often what others undid, as in a deadlock, is done again. A driver that is synchronous never is. @default 3 */
  readonly DATABASE_RETRIES?: number
}

export const operationSettings: { readonly [Name in keyof Required<OperationSettings>]: SettingRow } = {
  JSON_BODY_LIMIT: { type: 'integer', default: 1_048_576, meaning: 'The most bytes of a JSON body.' },
  JSON_BODY_TIMEOUT: {
    type: 'integer',
    default: 30,
    most: MOST_SECONDS,
    meaning: `Seconds that a JSON body may take to arrive, up to ${MOST_SECONDS}.`,
  },
  // A text of V8 has at most 536,870,888 characters.
  RESPONSE_MAX_BYTES: {
    type: 'integer',
    default: 16_777_216,
    most: 268_435_456,
    meaning:
      'The most bytes of the records of a page, up to 268435456. A page with one record is always sent.',
  },
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

/** What the settings, with their defaults, hold JSON bodies to. */
export const bodyBoundsOf = ({
  JSON_BODY_LIMIT,
  JSON_BODY_TIMEOUT,
}: Required<Pick<OperationSettings, 'JSON_BODY_LIMIT' | 'JSON_BODY_TIMEOUT'>>): BodyBounds => ({
  limit: JSON_BODY_LIMIT,
  timeout: JSON_BODY_TIMEOUT * 1000,
})
