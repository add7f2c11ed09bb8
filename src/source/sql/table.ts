import type { Field, Model } from '../../model/model.ts'
import type { Codec } from './codecs.ts'
import type { Sql } from './text.ts'
import type { TypeFacts } from './types.ts'

/** A column of a table, with the field that it stores. */
export interface Column {
  readonly field: Field
  /** Its name in the database. */
  readonly name: string
  readonly codec: Codec
  /** The type of the values that it stores. It differs from that of the field if a mapper of the application changes them. */
  readonly stored: TypeFacts
  /** Mappers of the application change the values of the stored type, so that the database cannot compute with them. @default false */
  readonly isMapped?: boolean
  /** The database counts up. @default false */
  readonly autoIncrement?: boolean
  /** Its default, for databases without a keyword for it, and for keys that the database does not return. */
  readonly default?: Sql | { readonly constant: unknown }
  /** Makes the value of a new record that has none. */
  readonly makeDefault?: () => unknown
  /** Makes the value of every update that has none. */
  readonly makeUpdate?: () => unknown
  /** For a decimal of SQLite: the digits after the point, and whether the column stores units of the last one, as a number or as a text of digits. */
  readonly decimal?: {
    readonly scale?: number | undefined
    readonly units?: 'number' | { readonly precision: number }
  }
  /** For a time of SQLite that is stored as a number: the SQL of the seconds since 1970. @default that of a text */
  readonly seconds?: (column: Sql) => Sql
  /** The column in a query that the application writes in the language of its ORM. @default qualified by the name of the table */
  readonly inQuery?: Sql
}

/** An index of a table. */
export interface Index {
  /** The names that it may have in the database. */
  readonly names: readonly string[]
  readonly fields: readonly string[]
  /** It has all records. A partial index, or one on an expression, has not. */
  readonly isWhole: boolean
}

/** A foreign key that the database checks. */
export interface ForeignKey {
  readonly fields: readonly string[]
  /** The referenced table, in SQL: `"shop"."orders"`. */
  readonly table: string
  /** Fields of the referenced table, in the order of `fields`. */
  readonly references: readonly string[]
  /** Their columns. */
  readonly columns: readonly string[]
  /** A referenced record cannot be deleted. */
  readonly restricts: boolean
  /** Another key of the same fields says which records they may refer to. @default false */
  readonly inherited?: boolean
}

/** A table or view of the database, with the model of its records. */
export interface Table {
  readonly model: Model
  /** Its name in the database, without its schema. */
  readonly name: string
  /** Its name in SQL for observers. @default as in statements */
  readonly shown?: string
  /** Its name in SQL: `"shop"."orders"`. */
  readonly sql: string
  readonly isView: boolean
  /** In the order of the fields of the model. */
  readonly columns: readonly Column[]
  /** Columns without a field, with what new records have in them, such as the name of their class. @default none */
  readonly constants?: readonly { readonly name: string; readonly value: unknown }[]
  readonly indexes: readonly Index[]
  readonly checks: readonly { readonly name: string; readonly fields: readonly string[] }[]
  readonly foreignKeys: readonly ForeignKey[]
  /** What an ORM adds to its own selects of these records, such as that they are not deleted. @param at the table in the statement. @default nothing */
  filter?(at: Sql): Sql | undefined
}
