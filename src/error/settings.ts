import { assertKnown, StartError } from './errors.ts'
import { isRecord } from './record.ts'

/**
 * One setting: its type, its default and what is checked. It stands in a table below its TSDoc, which is the only place of
 * its meaning: editors show it, and `scripts/settings.ts` writes docs/settings.md from it.
 */
export interface SettingRow {
  readonly type: SettingType
  /** Absent: the default is not a fixed value, or there is none. */
  readonly default?: number | string | boolean | readonly string[]
  /** Of an integer: no value may be smaller. @default 1 */
  readonly least?: number
  /** Of an integer: no value may be larger. */
  readonly most?: number
  /** Of a list of strings: what may stand in it. */
  readonly among?: readonly string[]
  /** The setting above it that this is another name of. */
  readonly aliasOf?: string
  /** Of an object: the settings in it. */
  readonly keys?: SettingRows
  /** Of an object that is a port: the functions that it must have. */
  readonly functions?: readonly string[]
}

/** Settings by their names. */
export type SettingRows = Readonly<Record<string, SettingRow>>

interface SettingValues {
  integer: number
  string: string
  boolean: boolean
  'list of strings': readonly string[]
  function: unknown
  'list of functions': unknown
  object: unknown
}

type SettingType = keyof SettingValues

type ValueOf<Row extends SettingRow> = Row extends { readonly among: readonly (infer Allowed)[] }
  ? readonly Allowed[]
  : SettingValues[Row['type']]

type Known<Rows extends SettingRows, Types> = {
  readonly [Name in keyof Rows]: Name extends keyof Types ? Types[Name] : ValueOf<Rows[Name]>
}

/** What an application may write for the settings of a table. @typeParam Types what functions and objects are, by name */
export type SettingsOf<Rows extends SettingRows, Types = unknown> = {
  readonly [Name in keyof Rows]?: Known<Rows, Types>[Name] | undefined
}

/** The settings of a table with their defaults, under their own names. */
export type ResolvedSettingsOf<Rows extends SettingRows, Types = unknown> = {
  readonly [Name in keyof Rows as Rows[Name] extends { readonly aliasOf: string } ? never : Name]:
    | Known<Rows, Types>[Name]
    | (Rows[Name] extends { readonly default: unknown } ? never : undefined)
}

/**
 * Settings under their own names, frozen, those inside of a setting too. What is `undefined` counts as not given.
 *
 * @param place The setting that they are inside of: `SERVICE_AUTH`
 * @throws StartError for an unknown name, a value of the wrong type, and a name and its alias with different values. No
 *   value is repeated: it may be a secret.
 */
export const readSettings = <Settings>(
  rows: SettingRows,
  given: Settings & object,
  place?: string,
): Settings => {
  const values = new Map(Object.entries(given).filter(([, value]) => value !== undefined))
  const names = Object.keys(rows)
  const what = place === undefined ? 'setting' : `setting in ${place}:`
  for (const name of values.keys()) assertKnown(`There is no ${what}`, name, names)
  const read = new Map<string, unknown>()
  for (const [name, row] of Object.entries(rows)) {
    if (!values.has(name)) continue
    const path = place === undefined ? name : `${place}.${name}`
    const value: unknown = values.get(name)
    assertSetting(path, row, value)
    const own = row.aliasOf ?? name
    if (read.has(own) && read.get(own) !== value)
      throw new StartError(
        `${place ?? 'The settings'}: ${own} and ${name} are two names of one setting, but have different values. Write one of them.`,
      )
    read.set(own, row.keys === undefined ? value : readSettings(row.keys, Object(value), path))
  }
  return Object.freeze(Object.fromEntries(read)) as Settings
}

/** The same with the defaults of the table. @throws StartError */
export const resolveRows = <Rows extends SettingRows, Types = unknown>(
  rows: Rows,
  given: SettingsOf<Rows, Types>,
  place?: string,
): ResolvedSettingsOf<Rows, Types> => {
  const defaults = Object.entries(rows).map(([name, row]) => [name, row.default])
  // The table has checked each type, which TypeScript cannot follow.
  return { ...Object.fromEntries(defaults), ...readSettings(rows, given, place) }
}

interface Check {
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
      isRecord(value) && functions.every((name) => isFunction(Reflect.get(value, name))),
    rule: ({ functions = [] }) =>
      `an object${functions.length === 0 ? '' : ` with the functions ${functions.join(', ')}`}`,
  },
}

/** @throws StartError where the value is not of the setting's type. Its value may be a secret and is not repeated. */
const assertSetting = (name: string, row: SettingRow, value: unknown): void => {
  const { holds, rule } = checks[row.type]
  if (holds(value, row)) return
  throw new StartError(
    `The setting ${name} must be ${rule(row)}.${row.default === undefined ? '' : ` Its default is ${row.default}.`}`,
  )
}
