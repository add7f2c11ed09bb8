import { assertKnown, closestTo, StartError } from './errors.ts'
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
  /** The camelCase name, if it does not follow from the name. */
  readonly camel?: string
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
 * The settings of a table, as an application passes them: each in upper case or in camelCase. @typeParam Types the types of
 * functions and objects, by name
 */
export type SettingsOf<Rows extends SettingRows, Types = unknown> = {
  readonly [Name in keyof Rows]?: Known<Rows, Types>[Name] | undefined
} & {
  readonly [Name in keyof Rows as CamelName<Name, Rows[Name]>]?: Known<Rows, Types>[Name] | undefined
}

type CamelName<Name, Row> = Row extends { readonly camel: infer Own extends string }
  ? Own
  : Camel<Name & string>

type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}${Capitalize<Camel<Rest>>}`
  : Lowercase<Name>

/** The camelCase name of a setting: `JSON_BODY_LIMIT` -> `jsonBodyLimit`. */
export const camelName = (name: string, { camel }: SettingRow): string =>
  camel ?? name.toLowerCase().replaceAll(/_(\w)/g, (_, first: string) => first.toUpperCase())

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
 * @param outer The table of the enclosing setting
 * @throws StartError for an unknown name, a value of the wrong type, a name in both spellings, or a name and its alias with
 *   different values. Values are not repeated: they may be secrets.
 */
export const readSettings = <Settings>(
  rows: SettingRows,
  given: Settings & object,
  place?: string,
  outer?: SettingRows,
): Settings => {
  const beginning = place === undefined ? '' : `${place}: `
  const values = spelledOut(rows, given, { place, outer })
  const read = new Map<string, unknown>()
  for (const [name, row] of Object.entries(rows)) {
    const found = values.get(name)
    if (found === undefined) continue
    const path = place === undefined ? found.as : `${place}.${found.as}`
    const { value } = found
    assertSetting(path, row, value)
    const own = row.aliasOf ?? name
    if (read.has(own) && read.get(own) !== value)
      throw new StartError(
        `${beginning}${own} and ${name} are two names of the same setting, but have different values. Remove one of them.`,
      )
    read.set(own, row.keys === undefined ? value : readSettings(row.keys, Object(value), path, rows))
  }
  return Object.freeze(Object.fromEntries(read)) as Settings
}

/** The setting that has others inside, and the table that it stands in. */
interface Enclosing {
  readonly place?: string | undefined
  readonly outer?: SettingRows | undefined
}

interface GivenSetting {
  /** The name that the application wrote. */
  readonly as: string
  readonly value: unknown
}

/** Settings by their names in upper case. @throws StartError for an unknown name, or for one in both spellings */
const spelledOut = (
  rows: SettingRows,
  given: object,
  enclosing: Enclosing,
): ReadonlyMap<string, GivenSetting> => {
  const { place } = enclosing
  const names = new Map(Object.entries(rows).map(([name, row]) => [camelName(name, row), name]))
  const values = new Map<string, GivenSetting>()
  for (const [as, value] of Object.entries(given)) {
    if (value === undefined) continue
    const name = names.get(as) ?? as
    if (!Object.hasOwn(rows, name)) {
      assertPlace(rows, as, enclosing)
      assertKnown(place === undefined ? 'Unknown setting' : `${place}: unknown setting`, as, alike(as, names))
    }
    const other = values.get(name)?.as
    if (other !== undefined)
      throw new StartError(
        `${place === undefined ? '' : `${place}: `}${other} and ${as} are two spellings of the same setting. Remove one of them.`,
      )
    values.set(name, { as, value })
  }
  return values
}

/** The spelling of a setting of the table that a name has. */
const spellingOf = (rows: SettingRows, name: string): 'upper' | 'camel' | undefined => {
  if (Object.hasOwn(rows, name)) return 'upper'
  return Object.entries(rows).some(([known, row]) => camelName(known, row) === name) ? 'camel' : undefined
}

/** @throws StartError for a setting that belongs into the object of another one, or that stands in one and does not belong there */
const assertPlace = (rows: SettingRows, name: string, { place, outer = {} }: Enclosing): void => {
  for (const [object, row] of Object.entries(rows)) {
    const spelling = spellingOf(row.keys ?? {}, name)
    const owner = spelling === 'camel' ? camelName(object, row) : object
    if (spelling !== undefined)
      throw new StartError(`${name} is a setting of ${owner}. Write ${owner}: { ${name}: … }.`)
  }
  if (spellingOf(outer, name) !== undefined)
    throw new StartError(`${place}: ${name} is not a setting of ${place}. Write it beside ${place}.`)
}

/** The names that a message offers instead of an unknown one: in its spelling, unless only the other has one like it. */
const alike = (unknown: string, names: ReadonlyMap<string, string>): readonly string[] => {
  const [camel, upper] = [[...names.keys()], [...names.values()]]
  const isCamel = unknown !== unknown.toUpperCase() && !unknown.includes('_')
  const [first, second] = isCamel ? [camel, upper] : [upper, camel]
  return closestTo(unknown, first) === '' && closestTo(unknown, second) !== '' ? second : first
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

interface SettingCheck {
  readonly holds: (value: unknown, row: SettingRow) => boolean
  readonly rule: (row: SettingRow) => string
}

const isText = (value: unknown): boolean => typeof value === 'string'
const isFunction = (value: unknown): boolean => typeof value === 'function'
const isList = (value: unknown, holds: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(holds)

const checks: Readonly<Record<SettingType, SettingCheck>> = {
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
