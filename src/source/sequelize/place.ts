import type { Transaction, WhereOptions } from 'sequelize'
import type { Row } from '../source.ts'
import { type Raw, returning as returningBy, type Value } from '../sql/selects.ts'
import { type Scope, scopeOf } from '../sql/tables.ts'
import type { MappedTable } from './describe.ts'
import { type Database, literalOf, type Within } from './values.ts'

/** Where statements run. */
export interface Place {
  readonly database: Database
  readonly mappedOf: (model: string) => MappedTable
  readonly transaction?: Transaction
}

/**
 * Runs a statement in the transaction of this place, or in none: not in one that the application keeps in an asynchronous context.
 * A replica would not have what was just written, such as the end of a session.
 */
export const within = ({ transaction = null }: { readonly transaction?: Transaction | null }): Within => ({
  transaction,
  useMaster: true,
})

/** A scope whose values become literals. */
export const newScope = (
  { database, mappedOf }: Pick<Place, 'database' | 'mappedOf'>,
  written?: MappedTable,
): Scope => scopeOf(database, mappedOf, (value, field) => literalOf(database, value, field), written)

/** A condition with that of the default scope. It is an object, because hooks add conditions to it. */
export const scoped = (
  { sequelizeLiteral, and }: Database,
  { scope }: MappedTable,
  sql: string,
): WhereOptions => ({
  [and]: [...(scope.where === undefined ? [] : [scope.where]), sequelizeLiteral(`(${sql})`)],
})

/** The records that a statement writes and returns, or these values of them. */
export const returning = (
  place: Place,
  mapped: MappedTable,
  sql: string,
  bind: unknown[],
  values: readonly Value[] = mapped.returned,
): Promise<readonly Row[]> => {
  const { database } = place
  const run = (end: string) => database.select<Raw>(`${sql} ${end}`, { ...within(place), bind })
  return returningBy(database, mapped, run, values)
}
