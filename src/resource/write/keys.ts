import { anyOf } from '../../controller/scope.ts'
import { kinds } from '../../model/kinds/index.ts'
import { ownValue } from '../../model/objects.ts'
import { type Condition, everything } from '../../query/ast.ts'
import type { Row } from '../../source/source.ts'
import type { WriteTarget } from '../parts/target.ts'

type Keyed = Pick<WriteTarget, 'keys'>

/** The same for keys that databases consider equal. */
export const sentKeyText = ({ keys }: Keyed, values: readonly unknown[]): string =>
  JSON.stringify(keys.map((field, at) => kinds[field.kind].write(values[at], field)))

export const keyIn = ({ keys }: Keyed, row: Row): readonly unknown[] =>
  keys.map(({ name }) => ownValue(row, name))

/** By the text of their keys. */
export const byKeyText = (target: Keyed, rows: readonly Row[]): ReadonlyMap<string, Row> =>
  new Map(rows.map((row) => [sentKeyText(target, keyIn(target, row)), row]))

/** Holds for the records with these values. */
export const equalTo = (values: Row): Condition => ({
  op: 'and',
  conditions: Object.entries(values).map(([field, value]) => ({ op: 'eq', field, value })),
})

/** Holds for the records with these keys. */
export const among = ({ keys }: Keyed, values: readonly (readonly unknown[])[]): Condition => {
  const [only, another] = keys
  if (only === undefined) return everything
  if (another === undefined) return { op: 'in', field: only.name, values: values.map(([value]) => value) }
  return anyOf(values.map((key) => equalTo(Object.fromEntries(keys.map(({ name }, at) => [name, key[at]])))))
}

/** In parts of at most so many. */
export const partsOf = <T>(all: readonly T[], most: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / most) }, (_, at) => all.slice(at * most, (at + 1) * most))
