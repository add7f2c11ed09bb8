import { type Column, is, SQL } from 'drizzle-orm'
import { ownValue } from '../../../model/own-value.ts'
import type { DescribedTable } from '../table.ts'

/** The database counts it up, and says what it gave. */
export const countsUp = (column: Column & { readonly autoIncrement?: boolean }): boolean =>
  column.autoIncrement === true

/** Whether the key of every new record can be told: it is sent, counted up, or a default that is known here. */
export const keyIsKnown = ({ model, columns }: DescribedTable): boolean =>
  model.primaryKey.every((name) => {
    const column = ownValue(columns, name)
    if (column === undefined) return true
    return countsUp(column) || column.defaultFn !== undefined || !isMadeInside(column)
  })

const isMadeInside = (column: Column): boolean => column.generated !== undefined || is(column.default, SQL)
