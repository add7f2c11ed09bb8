import { StartError, suggest } from '../../error/start-error.ts'
import { modelNameOf } from '../../model/naming.ts'
import { ownValue } from '../../model/own-value.ts'
import type { GivenTable } from './given-tables.ts'

/** Key of a table, or `app.key` -> the model's name. */
export type ModelNames = Readonly<Record<string, string>>

const isName = (name: string): boolean => /^[A-Z][A-Za-z0-9]*$/.test(name)

export const placeOf = ({ app, key }: GivenTable): string => `${app}.${key}`

/**
 * The name of each table's model.
 *
 * @throws StartError for a key in `names` that no table has, and for what cannot be a model's name.
 */
export const modelNames = (
  given: readonly GivenTable[],
  names: ModelNames,
): ReadonlyMap<GivenTable, string> => {
  const places = given.flatMap((table) => [table.key, placeOf(table)])
  for (const place of Object.keys(names)) {
    if (!places.includes(place))
      throw new StartError(`names: there is no table ${place}.${suggest(place, new Set(places))}`)
  }
  return new Map(given.map((table) => [table, nameOf(table, names)]))
}

const nameOf = (table: GivenTable, names: ModelNames): string => {
  const place = placeOf(table)
  const chosen = ownValue(names, place) ?? ownValue(names, table.key)
  const name = chosen ?? modelNameOf(table.key)
  if (isName(name)) return name
  const problem =
    chosen === undefined
      ? `No model name can be made of ${place}. Write one`
      : `names: ${JSON.stringify(chosen)} is no model name. Write it in PascalCase`
  throw new StartError(`${problem}: names: { '${place}': 'Product' }.`)
}

/** @throws StartError where two tables have one name. */
export const assertDistinct = (
  models: readonly { readonly name: string; readonly given: GivenTable }[],
): void => {
  const taken = new Map<string, GivenTable>()
  for (const { name, given } of models) {
    const other = taken.get(name)
    if (other !== undefined) {
      const place = placeOf(given)
      throw new StartError(
        `${placeOf(other)} and ${place} are both the model ${name}. Name one of them: names: { '${place}': '${ownName(name, given, other)}' }.`,
      )
    }
    taken.set(name, given)
  }
}

/** A name that is likely to be free: that of the app in front. */
const ownName = (name: string, { app }: GivenTable, other: GivenTable): string =>
  app === other.app ? `Other${name}` : `${modelNameOf(app)}${name}`
