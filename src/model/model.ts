/**
 * What a value is in JavaScript when the source hands it out or takes it in:
 * a `datetime` is a `Date` in one column and a string in another.
 */
export type ValueForm = 'string' | 'number' | 'bigint' | 'boolean' | 'date' | 'bytes' | 'json'

/** What a client may do with a field. `hidden` fields can be neither read nor written. */
export type Access = 'read-write' | 'read-only' | 'write-only' | 'hidden'

/** One column of a model, as plain frozen data. */
export interface Field {
  /** The model's own property name, and the name in JSON. */
  readonly name: string
  readonly kind: FieldKind
  readonly form: ValueForm
  readonly nullable: boolean
  /** The database or the ORM fills the field in when a new record does not name it. */
  readonly hasDefault: boolean
  /** The default as JSON, where it is a constant. */
  readonly default?: unknown
  /** A key that the database makes may be that of a record which was deleted before. */
  readonly comesAgain?: true
  /** It is a part of a foreign key, to whichever table. */
  readonly foreign?: true
  /** A part of the primary key that has a default, which clients may send all the same. */
  readonly sendable?: true
  /** Never written by anybody: an identity that is always generated, a computed column. */
  readonly generated: boolean
  readonly access: Access
  /** Create does not ask for the field although it has no default. */
  readonly optional: boolean
  /** A PUT whose body does not name the field leaves it as it is. Others get their default, or null. */
  readonly staysOnReplace?: true
  /** Text and bytes: the most characters (code points) or bytes. */
  readonly maxLength?: number
  /** Text: requests may not send control, format, line or paragraph separator characters (Cc, Cf, Zl, Zp). */
  readonly printable?: true
  /** Numbers: the bounds of the column's type, both included. 64-bit bounds are bigints. */
  readonly minimum?: number | bigint
  readonly maximum?: number | bigint
  /** Decimals: digits in all. Absent: any number of them. */
  readonly precision?: number
  /** Decimals: digits after the point. */
  readonly scale?: number
  /** Times and datetimes: stored digits of a second's fraction. */
  readonly fractionDigits?: number
  /** Enums: the values. */
  readonly values?: readonly string[]
  /** Arrays: what an element is. */
  readonly element?: Element
  /** Arrays and vectors: the exact number of elements. */
  readonly size?: number
  /**
   * What a condition may ask where that is less than the kind takes, because the column stores something else: whether
   * it equals a value, or only whether it is null.
   */
  readonly conditions?: 'equality' | 'null'
  /** A value that the column takes, as JSON, for the documentation. */
  readonly example?: unknown
  /** CommonMark for the documentation. */
  readonly description?: string
}

/** What one element of an array field is. */
export type Element = Omit<
  Field,
  'name' | 'hasDefault' | 'default' | 'generated' | 'access' | 'optional' | 'description'
>

/** A foreign key (to-one) or its other side (to-many). */
export interface Relation {
  readonly name: string
  readonly kind: 'to-one' | 'to-many'
  /** The name of the model at the other end. */
  readonly model: string
  /** Fields of this model, in the order of `references`. */
  readonly fields: readonly string[]
  /** Fields of the model at the other end. */
  readonly references: readonly string[]
}

/** A resource: a table or view of the application, as plain frozen data. */
export interface Model {
  /** Singular PascalCase: `OrderItem`. */
  readonly name: string
  /** The label of the application that the model belongs to. */
  readonly app: string
  /** The path segment: `order-items`. */
  readonly path: string
  readonly fields: readonly Field[]
  /** Field names in key order. Never empty. */
  readonly primaryKey: readonly string[]
  /** Sets of fields that no two records share, the primary key not among them. */
  readonly uniques: readonly (readonly string[])[]
  readonly relations: readonly Relation[]
  /** A view: list and get alone. */
  readonly readOnly: boolean
  readonly deprecated: boolean
  /** CommonMark for the documentation. */
  readonly description?: string
  /** What everybody may do although the application is protected: everything, or reading. Absent: nothing. */
  readonly public?: true | 'read'
  /** A table of the ORM's own, as of migrations: it is served only where the application asks for that. */
  readonly internal?: true
  /** The text fields that `search` looks in. Absent: all that can be read. */
  readonly search?: readonly string[]
  /** What `count` a list does when the request does not say (absent: what its paging does), and which it may ask for. */
  readonly count: { readonly default?: CountMode; readonly allowed: readonly CountMode[] }
}

/**
 * How a list counts: `exact` counts all matching records, `none` does no work, `estimated` counts exactly up to the
 * setting `QUERY_COUNT_BOUND` and takes the database's statistics beyond.
 */
export type CountMode = 'exact' | 'estimated' | 'none'

/** The model's field of this name. @throws Error where there is none: names are checked before. */
export const fieldOf = (model: Model, name: string): Field => {
  const field = model.fields.find((candidate) => candidate.name === name)
  if (field === undefined) throw new Error(`${model.name} has no field ${name}`)
  return field
}

export const isReadable = (field: Field): boolean =>
  field.access === 'read-write' || field.access === 'read-only'

export const isWritable = (field: Field): boolean =>
  !field.generated && (field.access === 'read-write' || field.access === 'write-only')

/** Whether a part of the key refers to another record, as in a join table: only the client knows it, whatever its default. */
export const refersByKey = ({ primaryKey }: Pick<Model, 'primaryKey'>, { name, foreign }: Field): boolean =>
  foreign === true && primaryKey.includes(name)

/**
 * The closed set of field kinds. What each of them does stands in the table `kinds`, and nowhere else.
 *
 * | kind | JSON | forms |
 * |---|---|---|
 * | `text` | string | string |
 * | `enum` | one of `values` | string |
 * | `uuid` | string | string |
 * | `boolean` | boolean | boolean |
 * | `integer` | number, exact | number |
 * | `bigint` | string, a 64-bit integer | bigint, string |
 * | `float` | number | number |
 * | `decimal` | string that keeps its scale | string, number, bigint |
 * | `date` | `2026-01-31` | string, date (midnight UTC) |
 * | `time` | `23:59:59.123` | string |
 * | `datetime` | an instant: `2026-01-31T23:59:59.123Z` | date, string |
 * | `localdatetime` | without a zone: `2026-01-31T23:59:59.123` | date (read as UTC), string |
 * | `bytes` | base64 | bytes |
 * | `json` | as it is | json |
 * | `array` | an array of its element | json |
 * | `file` | the path of a file; its column keeps the storage's key | string |
 * | `image` | the same for an image | string |
 * | `token` | string that is only compared for equality (an address, an interval) | string |
 * | `opaque` | as it is | json |
 */
export type FieldKind =
  | TextKind
  | NumberKind
  | TimeKind
  | ('boolean' | 'bytes' | 'json' | 'array' | 'file' | 'image' | 'opaque')

type TextKind = 'text' | 'enum' | 'uuid' | 'token'
type NumberKind = 'integer' | 'bigint' | 'float' | 'decimal'
type TimeKind = 'date' | 'time' | 'datetime' | 'localdatetime'
