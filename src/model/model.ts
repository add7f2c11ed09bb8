import type { OperationName } from './operations.ts'
import type { PaginationTypes } from './pagination.ts'
import type { OptionalTextComparison } from './text-comparisons.ts'

/**
 * The JavaScript type of the values that a source returns and accepts. A `datetime` is a `Date` in one column and a
 * string in another.
 */
export type ValueForm = 'string' | 'number' | 'bigint' | 'boolean' | 'date' | 'bytes' | 'json'

/** What clients may do with a field. `hidden` fields can be neither read nor written. */
export type Access = 'read-write' | 'read-only' | 'write-only' | 'hidden'

/** One column of a model, as plain frozen data. */
export interface Field {
  /** The property name in the model, and the name in JSON. */
  readonly name: string
  /** The property name in the model, if `modelConfig` gives the field another one. */
  readonly inSource?: string
  readonly kind: FieldKind
  readonly form: ValueForm
  readonly nullable: boolean
  /** The database or the ORM fills the field in if a new record omits it. */
  readonly hasDefault: boolean
  /** The default as JSON, if it is a constant. */
  readonly default?: unknown
  /** The database may reuse the key of a deleted record. */
  readonly comesAgain?: true
  /** Part of a foreign key, to any table. */
  readonly foreign?: true
  /** Part of a primary key that has a default, although clients may send it. */
  readonly sendable?: true
  /** Only the database writes it: an identity that is always generated, or a computed column. */
  readonly generated: boolean
  /** Clients set it when they create a record. Updates cannot change it. */
  readonly createOnly?: true
  /** An integer that the ORM itself raises with each update of the record, such as a version column. */
  readonly raised?: true
  readonly access: Access
  /** Clients do not have it, because this other field has the same name in another naming style, and clients cannot have both. */
  readonly shadowedBy?: string
  /** May be omitted on create even though it has no default. */
  readonly optional: boolean
  /** A PUT that omits the field keeps its value. Other fields get their default, or null. */
  readonly staysOnReplace?: true
  /** A PUT must send the field, because the source cannot set it to its default, which only the database knows. */
  readonly neededOnReplace?: true
  /** Text and bytes: the maximum number of characters (code points) or bytes. */
  readonly maxLength?: number
  /** Text: the minimum number of characters (code points) that a body may have. Stored values may have fewer. */
  readonly minLength?: number
  /** Files: responses have absolute URLs, which begin with this one. Absent: paths, or the URLs of the storage. */
  readonly mediaUrl?: string
  /** Text: requests must not send control, format, line or paragraph separator characters (Cc, Cf, Zl, Zp). */
  readonly printable?: true
  /** Numbers: the inclusive bounds of the column type. 64-bit bounds are bigints. */
  readonly minimum?: number | bigint
  readonly maximum?: number | bigint
  /** Decimals: the total number of digits. Absent: unlimited. */
  readonly precision?: number
  /** Decimals: digits after the point. */
  readonly scale?: number
  /** Times and datetimes: the stored digits of fractional seconds. */
  readonly fractionDigits?: number
  /** Enums: the allowed values. */
  readonly values?: readonly string[]
  /** Arrays: the type of an element. */
  readonly element?: Element
  /** Arrays and vectors: the exact number of elements. */
  readonly size?: number
  /** Opaque: bodies may have any JSON, because the source refuses values that it would not show again. @default scalars only */
  readonly anyJson?: true
  /**
   * Set if the field supports fewer conditions than its kind: only equality or only comparison with null, because the column
   * stores values in another form; or everything except equality, because the source does not compare text exactly.
   */
  readonly conditions?: 'equality' | 'null' | 'inexact'
  /** JSON: conditions can compare the values inside. @default false */
  readonly jsonPaths?: true
  /** Arrays: conditions can find an element. @default false */
  readonly comparesElements?: true
  /** Text: `contains` does not accept `%`, `_` and `\`, because the source would read them as wildcards. */
  readonly literalOnly?: true
  /** Text: what it can be compared by beside `contains`, equality and order. @default nothing */
  readonly comparisons?: readonly OptionalTextComparison[]
  /** A valid value as JSON, for the documentation. */
  readonly example?: unknown
  /** The description as CommonMark, for the documentation. */
  readonly description?: string
}

/** The type of the elements of an array field. */
export type Element = Omit<
  Field,
  'name' | 'hasDefault' | 'default' | 'generated' | 'raised' | 'access' | 'optional' | 'description'
>

/** A foreign key (`to-one`), its other side, or a join table between two models (both `to-many`). */
export interface Relation {
  readonly name: string
  readonly kind: 'to-one' | 'to-many'
  /** The name of the other model. */
  readonly model: string
  /** Fields of this model, in the order of `references`, or of `through.fields`. */
  readonly fields: readonly string[]
  /** Fields of the other model. */
  readonly references: readonly string[]
  /** The name of the same relation in the other model. */
  readonly inverse: string
  /** The database does not check it, because no foreign key constraint exists: values may refer to missing records. */
  readonly unchecked?: true
  /** Clients cannot use it. Scopes can. */
  readonly closed?: true
  /** Another relation of the same fields says which records they may refer to. This one leads to those of one class. */
  readonly inherited?: true
  /** The join table. Absent: one of the two models has the foreign key. */
  readonly through?: {
    /** The name of the model of the join table. */
    readonly model: string
    /** Its fields that refer to this model. */
    readonly fields: readonly string[]
    /** Its fields that refer to the other model, in the order of `references`. */
    readonly references: readonly string[]
  }
}

/** A field that modelrest fills. */
export interface Stamp {
  readonly field: Field
  /** `caller`: the key of the user. `now`: the time of the write. */
  readonly of: 'caller' | 'now'
  /** An update leaves it as it is. */
  readonly onCreate: boolean
}

/** A table or view of the application, as plain frozen data. */
export interface Model {
  /** Singular PascalCase: `OrderItem`. */
  readonly name: string
  /** The label of the app that the model belongs to. */
  readonly app: string
  /** The path segment: `order-items`. */
  readonly path: string
  readonly fields: readonly Field[]
  /** Field names in key order. Empty: the model has no key, so clients only list its records. */
  readonly primaryKey: readonly string[]
  /** Sets of fields with a unique constraint, without the primary key. */
  readonly uniques: readonly (readonly string[])[]
  readonly relations: readonly Relation[]
  /** Relations that responses include if the request omits `include`, such as `items.product`. @default none */
  readonly include?: readonly string[]
  /** To-many relations whose records are written in the bodies of this model. @default none */
  readonly write?: readonly string[]
  /** The field that every write raises, and that the ETag of a record shows. Absent: the ETag is a hash of the record. */
  readonly version?: string
  /** PUT, PATCH and DELETE without `If-Match` are refused. */
  readonly requireIfMatch?: true
  /** The timestamp that a DELETE sets instead of deleting the record. Absent: records are deleted for good. */
  readonly softDelete?: string
  /** How records are recognized that do not exist yet. Absent: all do. */
  readonly unfinished?: Unfinished
  /** The records that the stores of this model show although they are deleted or unfinished. Absent: none. */
  readonly deleted?: Deleted
  /** The ORM itself hides some records of the table, such as deleted ones. Foreign keys must refer to the others. */
  readonly hidesRecords?: true
  /** The fields that writes fill. Clients cannot write them. @default none */
  readonly stamps?: readonly Stamp[]
  /** Requests for one record may choose its fields. */
  readonly detailFields?: true
  /** One request may write many records. */
  readonly bulk?: true
  /** A view: it has only list and read endpoints. */
  readonly readOnly: boolean
  /** The operations that clients have. Absent: all that the table allows. */
  readonly operations?: readonly OperationName[]
  /** Required fields that clients cannot send and that nothing else sets, so that clients do not have `create`. Absent: none. */
  readonly unset?: readonly string[]
  readonly deprecated: boolean
  /** What people call a record, and several. Absent: the words of the name. */
  readonly label?: ModelLabel
  /** The field whose value names a record to people. Absent: the one whose name says so. */
  readonly title?: string
  /** The description of the model as CommonMark, for the documentation. */
  readonly description?: string
  /** Accessible without authentication: everything, or only reading. Absent: nothing. */
  readonly public?: true | 'read'
  /** A table of the ORM, such as for migrations. It is served only if the application requests it. */
  readonly internal?: true
  /** The text fields that `search` looks in. Absent: all readable text fields. */
  readonly search?: readonly string[]
  /** The count mode of a list if the request omits `count` (absent: that of its paging), and the allowed modes. */
  readonly count: { readonly default?: CountMode; readonly allowed: readonly CountMode[] }
  /** How its lists are paged. Absent: as those of all models. */
  readonly pagination?: PaginationTypes
}

/** What people call a record of a model, and several. */
export interface ModelLabel {
  readonly one: string
  readonly many: string
}

/** Which deleted records a list shows: only those, or all records `with` them. */
export type Deletion = 'only' | 'with'

/** The same for a store. `all`: unfinished records too. */
export type Deleted = Deletion | 'all'

/** Records are unfinished while a field contains a text. */
export interface Unfinished {
  readonly field: string
  readonly text: string
  /** The application makes such records: foreign keys to them are checked. Otherwise, there are only some that it has left behind. */
  readonly isExpected: boolean
}

/**
 * How a list counts: `exact` counts all matching records, `none` does not count, `estimated` counts exactly up to the
 * setting `queryCountBound` and uses database statistics beyond it.
 */
export type CountMode = 'exact' | 'estimated' | 'none'

/** The fields that a foreign key refers to, if they are not the primary key of the other model. */
export const otherKey = (
  { references }: Pick<Relation, 'references'>,
  target: Pick<Model, 'primaryKey'> | undefined,
): readonly string[] =>
  target === undefined || target.primaryKey.every((name) => references.includes(name)) ? [] : references

/**
 * Whether records of the table may not exist to the store of the model, because they are deleted, unfinished or hidden by the ORM:
 * foreign keys to them are checked.
 */
export const hidesRecords = ({ softDelete, unfinished, hidesRecords: hides }: Model): boolean =>
  softDelete !== undefined || unfinished?.isExpected === true || hides === true

/** The field with this name. @throws Error for an unknown name, which callers have ruled out */
export const fieldOf = (model: Model, name: string): Field => {
  const field = model.fields.find((candidate) => candidate.name === name)
  if (field === undefined) throw new Error(`${model.name} has no field ${name}`)
  return field
}

/** The field that every write raises, if the model has one. */
export const versionField = (model: Model): Field | undefined =>
  model.version === undefined ? undefined : fieldOf(model, model.version)

export const isReadable = (field: Field): boolean =>
  field.access === 'read-write' || field.access === 'read-only'

export const isWritable = (field: Field): boolean =>
  !field.generated && (field.access === 'read-write' || field.access === 'write-only')

/** Whether a new record must have a value for the column. */
export const isNeeded = ({ nullable, hasDefault, generated, optional }: Field): boolean =>
  !(nullable || hasDefault || generated || optional)

/** Whether a part of the key refers to another record, as in a join table. Only clients know its value. */
export const refersByKey = ({ primaryKey }: Pick<Model, 'primaryKey'>, { name, foreign }: Field): boolean =>
  foreign === true && primaryKey.includes(name)

/**
 * The closed set of field kinds. The table `kinds` defines their behavior.
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
 * | `json` | unchanged | json |
 * | `array` | an array of its element | json |
 * | `file` | the path of a file; the column stores its key | string |
 * | `image` | the same for an image | string |
 * | `token` | string that supports only equality (an address, an interval) | string |
 * | `opaque` | unchanged; the type is unknown | json |
 */
export type FieldKind =
  | TextKind
  | NumberKind
  | TimeKind
  | ('boolean' | 'bytes' | 'json' | 'array' | 'file' | 'image' | 'opaque')

type TextKind = 'text' | 'enum' | 'uuid' | 'token'
type NumberKind = 'integer' | 'bigint' | 'float' | 'decimal'
type TimeKind = 'date' | 'time' | 'datetime' | 'localdatetime'
