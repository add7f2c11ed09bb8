import { StartError, suggest } from './errors.ts'
import { assertSetting, type SettingRows } from './setting.ts'

type Given = Readonly<Record<string, unknown>>

/**
 * Settings under their own names, frozen, those inside of a setting too. What is `undefined` counts as not given.
 *
 * @param place The setting that they are inside of: `SERVICE_AUTH`
 * @throws StartError for an unknown name, a value of the wrong type, and a name and its alias with different values. No
 *   value is repeated: it may be a secret.
 */
export const readSettings = (rows: SettingRows, given: object, place?: string): Given => {
  const values: Given = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  assertNames(rows, Object.keys(values), place)
  const read = Object.entries(rows).flatMap(([name, row]) => {
    const names = [name, row.alias].filter((known) => known !== undefined && known in values)
    const [first, second] = names.map((known = '') => {
      const value = values[known]
      const path = place === undefined ? known : `${place}.${known}`
      assertSetting(path, row, value)
      return row.keys === undefined || !isObject(value) ? value : readSettings(row.keys, value, path)
    })
    if (names.length > 1 && first !== second) {
      throw new StartError(
        `${place ?? 'The settings'}: ${name} and ${row.alias} are two names of one setting, but have different values. Write one of them.`,
      )
    }
    return names.length === 0 ? [] : [[name, first] as const]
  })
  return Object.freeze(Object.fromEntries(read))
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const assertNames = (rows: SettingRows, given: readonly string[], place: string | undefined): void => {
  const known = Object.entries(rows).flatMap(([name, { alias }]) =>
    alias === undefined ? [name] : [name, alias],
  )
  const what = place === undefined ? 'setting' : `setting in ${place}:`
  for (const name of given) {
    if (known.includes(name)) continue
    throw new StartError(`There is no ${what} ${name}.${suggest(name, known)}`)
  }
}
