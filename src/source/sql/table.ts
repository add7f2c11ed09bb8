import type { Field, Model } from '../../model/model.ts'
import type { Sql } from './text.ts'
import type { TypeFacts } from './types.ts'

/** How the values of a column get to the database and back. Where a member is missing, they pass as they are. */
export interface Codec {
  /** A value of the field for the driver, or SQL. Null stays null. @throws SourceError `value` or `type` if the column cannot hold it */
  readonly encode: (value: unknown) => unknown
  /** The same for a value to compare with. `null`: the column cannot hold such a value, so no record has it. */
  readonly encodeCompared: (value: unknown) => unknown
  /** The same for a value to compare with by order. @throws SourceError `value` for one that has no place in the order. @default as `encodeCompared` */
  readonly encodeRanked?: (value: unknown) => unknown
  /** A value of the driver, never null, in the form of the field. @throws an error if it cannot be represented exactly */
  readonly decode?: (raw: unknown) => unknown
  /** The SQL that reads the column. */
  readonly selected?: (column: Sql) => Sql
  /** The SQL that writes a parameter. */
  readonly written?: (slot: Sql) => Sql
  /** The SQL of the column in comparisons, if the column does not accept every value of its field. */
  readonly compared?: (column: Sql) => Sql
  /** The same in comparisons by order. @default as `compared` */
  readonly ranked?: (column: Sql) => Sql
  /** The SQL of a parameter in comparisons. */
  readonly comparedSlot?: (slot: Sql) => Sql
  /** The SQL by which a side of a comparison is ordered: the column or a parameter. */
  readonly ordered?: (side: Sql) => Sql
  /** Makes what `ordered` made of a value into the value again. */
  readonly unordered?: (side: Sql) => Sql
  /** Equal values may be stored in several forms, which only their order shows. @default false */
  readonly isMixed?: boolean
  /** The SQL in which a text is searched. */
  readonly searched?: (column: Sql) => Sql
  /** For text: SQL that compares byte for byte, if the column does not. */
  readonly exact?: (side: Sql) => Sql
}

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
