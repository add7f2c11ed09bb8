import { assertKnown, StartError } from './errors.ts'
import { isRecord } from './record.ts'

/**
 * One setting: its type, default and limits. The TSDoc above the row in its table describes it: editors show that text, and
 * `scripts/settings.ts` writes docs/settings.md from it.
 */
export interface SettingRow {
  readonly type: SettingType
  /** Absent if there is no fixed default. */
  readonly default?: number | string | boolean | readonly string[]
  /** The minimum of an integer. @default 1 */
  readonly least?: number
  /** The maximum of an integer. */
  readonly most?: number
  /** The allowed values of a list of strings. */
  readonly among?: readonly string[]
  /** The setting that this name is an alias of. */
  readonly aliasOf?: string
  /** The settings inside an object. */
  readonly keys?: SettingRows
  /** The functions that an object must have. */
  readonly functions?: readonly string[]
}

/** Settings by name. */
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

/**
 * The settings of a table, as an application passes them. @typeParam Types the types of functions and objects, by name
 */
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
 * Checks settings and returns them under their own names, frozen. `undefined` counts as not given.
 *
 * @param place The enclosing setting, such as `SERVICE_AUTH`
 * @throws StartError for an unknown name, a value of the wrong type, or a name and its alias with different values. Values
 *   are not repeated: they may be secrets.
 */
export const readSettings = <Settings>(
  rows: SettingRows,
  given: Settings & object,
  place?: string,
): Settings => {
  const values = new Map(Object.entries(given).filter(([, value]) => value !== undefined))
  const names = Object.keys(rows)
  const unknown = place === undefined ? 'Unknown setting' : `${place}: unknown setting`
  for (const name of values.keys()) assertKnown(unknown, name, names)
  const read = new Map<string, unknown>()
  for (const [name, row] of Object.entries(rows)) {
    if (!values.has(name)) continue
    const path = place === undefined ? name : `${place}.${name}`
    const value: unknown = values.get(name)
    assertSetting(path, row, value)
    const own = row.aliasOf ?? name
    if (read.has(own) && read.get(own) !== value)
      throw new StartError(
        `${place === undefined ? '' : `${place}: `}${own} and ${name} are two names of the same setting, but have different values. Remove one of them.`,
      )
    read.set(own, row.keys === undefined ? value : readSettings(row.keys, Object(value), path))
  }
  return Object.freeze(Object.fromEntries(read)) as Settings
}

/** Like `readSettings`, with the defaults of the table. @throws StartError */
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
    rule: ({ least = 1, most }) =>
      most === undefined ? `an integer of at least ${least}` : `an integer from ${least} to ${most}`,
  },
  string: { holds: isText, rule: () => 'a string' },
  boolean: { holds: (value) => typeof value === 'boolean', rule: () => 'true or false' },
  'list of strings': {
    holds: (value, { among }) =>
      isList(value, (item) => isText(item) && item !== '' && (among?.includes(String(item)) ?? true)),
    rule: ({ among }) =>
      among === undefined
        ? 'a list of non-empty strings'
        : `a list whose items are among ${among.join(', ')}`,
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

/** @throws StartError if the value is not of the setting's type. The value may be a secret and is not repeated. */
const assertSetting = (name: string, row: SettingRow, value: unknown): void => {
  const { holds, rule } = checks[row.type]
  if (holds(value, row)) return
  throw new StartError(
    `The setting ${name} must be ${rule(row)}.${row.default === undefined ? '' : ` The default is ${row.default}.`}`,
  )
}
