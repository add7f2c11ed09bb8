import type { Column, Table, View } from 'drizzle-orm'
import type { Model } from '../../model/model.ts'

export type Dialect = 'sqlite' | 'pg' | 'mysql'

/** A model with the table or view that it was read from. */
export interface DescribedTable {
  readonly model: Model
  readonly dialect: Dialect
  readonly table: Table | View
  /** By field name. */
  readonly columns: Readonly<Record<string, Column>>
}
