import { anyOf } from '../../controller/scope.ts'
import { kinds } from '../../model/kinds/index.ts'
import { type Condition, everything, haveValues } from '../../query/ast.ts'
import { amongKeys, type Key, keyValues } from '../../source/record-keys.ts'
import type { Row } from '../../source/source.ts'
import type { WriteTarget } from '../parts/target.ts'

type Keyed = Pick<WriteTarget, 'keys'>

/** The same for keys that databases consider equal. */
export const sentKeyText = ({ keys }: Keyed, values: readonly unknown[]): string =>
  JSON.stringify(keys.map((field, at) => kinds[field.kind].write(values[at], field)))

export const keyIn = ({ keys }: Keyed, row: Row): Key => keyValues(row, namesOf(keys))

const namesOf = (keys: WriteTarget['keys']): readonly string[] => keys.map(({ name }) => name)

/** By the text of their keys. */
export const byKeyText = (target: Keyed, rows: readonly Row[]): ReadonlyMap<string, Row> =>
  new Map(rows.map((row) => [sentKeyText(target, keyIn(target, row)), row]))

/** Holds for the records with these values. */
export const equalTo = (values: Row): Condition => haveValues(Object.keys(values), Object.values(values))

/** Holds for the records with these keys, of which there may be too many for one level of a condition. */
export const among = ({ keys }: Keyed, values: readonly Key[]): Condition => {
  const names = namesOf(keys)
  if (names.length === 0) return everything
  return names.length === 1 ? amongKeys(names, values) : anyOf(values.map((key) => haveValues(names, key)))
}

/** In parts of at most so many. */
export const partsOf = <T>(all: readonly T[], most: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / most) }, (_, at) => all.slice(at * most, (at + 1) * most))
