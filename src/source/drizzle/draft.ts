import type { Column, Table, View } from 'drizzle-orm'
import type { Field } from '../../model/model.ts'
import type { GivenTable } from './given-tables.ts'
import type { ForeignKey } from './read-table.ts'
import type { Dialect } from './table.ts'

/** A model before its relations are known. */
export interface Draft {
  readonly given: GivenTable
  readonly name: string
  readonly dialect: Dialect
  readonly table: Table | View
  readonly columns: Readonly<Record<string, Column>>
  readonly fields: readonly Field[]
  readonly primaryKey: readonly string[]
  readonly uniques: readonly (readonly string[])[]
  readonly foreignKeys: readonly ForeignKey[]
  readonly readOnly: boolean
  /** What a view selects and no field can stand for. */
  readonly leftOut: readonly string[]
}

/** A draft, or in a sentence why there is none. */
export type Drafted = Draft | string
