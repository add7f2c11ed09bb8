import { StartError } from './errors.ts'

/** What a setting may hold, in the words of docs/settings.md. */
export type SettingType =
  | 'integer'
  | 'string'
  | 'boolean'
  | 'list of strings'
  | 'function'
  | 'list of functions'
  | 'object'

/** One setting: its type, default and meaning, as docs/settings.md lists it. */
export interface SettingRow {
  readonly type: SettingType
  /** Absent: it has none. */
  readonly default?: number | string | boolean | readonly string[]
  /** What it is where it is not given, if that is no fixed value: `the setting SECRET_KEY`. */
  readonly otherwise?: string
  /** Of an integer: no value may be smaller. @default 1 */
  readonly least?: number
  /** Of an integer: no value may be larger. */
  readonly most?: number
  /** Of a list of strings: what may stand in it. */
  readonly among?: readonly string[]
  /** Another name for it. */
  readonly alias?: string
  /** Of an object: the settings in it. */
  readonly keys?: SettingRows
  /** Of an object that is a port: the functions that it must have. */
  readonly functions?: readonly string[]
  readonly meaning: string
}

/** A timer of Node takes no more milliseconds. */
export const MOST_SECONDS: number = Math.floor((2 ** 31 - 1) / 1000)

/** Settings by their names. */
export type SettingRows = Readonly<Record<string, SettingRow>>

type Check = {
  readonly holds: (value: unknown, row: SettingRow) => boolean
  readonly rule: (row: SettingRow) => string
}

const isText = (value: unknown): boolean => typeof value === 'string'
const isFunction = (value: unknown): boolean => typeof value === 'function'
const isList = (value: unknown, holds: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(holds)

const checks: Readonly<Record<SettingType, Check>> = {
  integer: {
    holds: (value, { least = 1, most = Number.POSITIVE_INFINITY }) =>
      Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most,
    rule: ({ least = 1, most }) => `a whole number from ${least}${most === undefined ? '' : ` to ${most}`}`,
  },
  string: { holds: isText, rule: () => 'a string' },
  boolean: { holds: (value) => typeof value === 'boolean', rule: () => 'true or false' },
  'list of strings': {
    holds: (value, { among }) =>
      isList(value, (item) => isText(item) && item !== '' && (among?.includes(String(item)) ?? true)),
    rule: ({ among }) =>
      among === undefined
        ? 'a list of strings, none of them empty'
        : `a list of strings, each of them one of ${among.join(', ')}`,
  },
  function: { holds: isFunction, rule: () => 'a function' },
  'list of functions': { holds: (value) => isList(value, isFunction), rule: () => 'a list of functions' },
  object: {
    holds: (value, { functions = [] }) =>
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      functions.every((name) => isFunction(Reflect.get(value, name))),
    rule: ({ functions = [] }) =>
      `an object${functions.length === 0 ? '' : ` with the functions ${functions.join(', ')}`}`,
  },
}

/** @throws StartError where the value is not of the setting's type. Its value may be a secret and is not repeated. */
export const assertSetting = (name: string, row: SettingRow, value: unknown): void => {
  const { holds, rule } = checks[row.type]
  if (holds(value, row)) return
  throw new StartError(
    `The setting ${name} must be ${rule(row)}.${row.default === undefined ? '' : ` Its default is ${row.default}.`}`,
  )
}
