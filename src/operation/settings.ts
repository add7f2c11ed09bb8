import type { SettingRow } from '../error/setting.ts'

/** Settings of requests as such. */
export interface OperationSettings {
  /** The most bytes of a JSON body. @default 1048576 */
  readonly JSON_BODY_LIMIT?: number
}

export const operationSettings: { readonly [Name in keyof Required<OperationSettings>]: SettingRow } = {
  JSON_BODY_LIMIT: { type: 'integer', default: 1_048_576, meaning: 'The most bytes of a JSON body.' },
}
