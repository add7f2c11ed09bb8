import { StartError } from './start-error.ts'

/** One setting: its type, default and meaning, as docs/settings.md lists it. */
export interface SettingRow {
  readonly type: 'integer' | 'string'
  /** Absent: it has none. */
  readonly default?: number | string
  /** Of an integer: no value may be larger. */
  readonly most?: number
  readonly meaning: string
}

type Check = { readonly holds: (value: unknown) => boolean; readonly rule: string }

const checks: Readonly<Record<SettingRow['type'], Check>> = {
  integer: {
    holds: (value) => Number.isSafeInteger(value) && Number(value) >= 1,
    rule: 'a whole number from 1',
  },
  string: { holds: (value) => typeof value === 'string', rule: 'a string' },
}

/** @throws StartError where the value is not of the setting's type. Its value may be a secret and is not repeated. */
export const assertSetting = (name: string, row: SettingRow, value: unknown): void => {
  const { holds, rule } = checks[row.type]
  const { most = Number.POSITIVE_INFINITY } = row
  if (!holds(value) || Number(value) > most)
    throw new StartError(
      `The setting ${name} must be ${rule}${row.most === undefined ? '' : ` to ${row.most}`}.${row.default === undefined ? '' : ` Its default is ${row.default}.`}`,
    )
}
