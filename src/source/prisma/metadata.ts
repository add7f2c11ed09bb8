/** The parts of a Prisma schema that its client does not know. The generator `modelrest-prisma` writes them at `prisma generate`. */
export interface PrismaMetadata {
  readonly version: 1
  /** As in `datasource`: `postgresql`, `mysql`, `sqlite`. */
  readonly provider: string
  /** By the names in the Prisma schema. */
  readonly models: Readonly<Record<string, PrismaModel>>
  /** The values by their names in the Prisma schema, which the client uses too. */
  readonly enums: Readonly<Record<string, readonly string[]>>
  /** Enum -> value -> its name in the database, if the schema maps it. */
  readonly storedNames?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** A model or view. */
export interface PrismaModel {
  /** The name in the database. */
  readonly table: string
  readonly schema?: string
  readonly documentation?: string
  /** The client cannot create records: a view, or a model with a required field of a type that Prisma does not know. */
  readonly isReadOnly?: true
  /** Field names in key order. */
  readonly primaryKey: readonly string[]
  /** The name of the constraint, if the schema maps it. */
  readonly primaryKeyName?: string
  readonly uniques: readonly PrismaUnique[]
  /** All fields but relations, in their order. */
  readonly fields: Readonly<Record<string, PrismaField>>
  readonly relations: Readonly<Record<string, PrismaRelation>>
}

/** A unique constraint. */
export interface PrismaUnique {
  readonly fields: readonly string[]
  /** The name of the constraint, if the schema maps it. */
  readonly name?: string
}

/** A scalar, an enum, or a field of a type that Prisma does not know. */
export interface PrismaField {
  /** `Int`, `String` and so on, or the name of an enum. */
  readonly type: string
  /** The name of the column, if it is another than that of the field. */
  readonly column?: string
  /** The type of the column with its arguments: `['Decimal', '10', '2']`. Absent: the default of the provider. */
  readonly native?: readonly [string, ...string[]]
  readonly isList?: true
  readonly isNullable?: true
  readonly isUpdatedAt?: true
  /** A constant, or a function such as `now`. */
  readonly default?:
    | string
    | number
    | boolean
    | null
    | readonly unknown[]
    | { readonly name: string; readonly args: readonly unknown[] }
  readonly documentation?: string
}

/** A relation field. One of its two sides has the foreign key. */
export interface PrismaRelation {
  readonly model: string
  readonly isList?: true
  /** The same on both sides. */
  readonly name: string
  /** The foreign key. Only on the side that has it. */
  readonly fields?: readonly string[]
  readonly references?: readonly string[]
  readonly onDelete?: string
  readonly isNullable?: true
}
