import { StartError } from '../error/errors.ts'
import type { ForeignKeyFacts } from './foreign-keys.ts'
import type { Field, FieldKind, ValueForm } from './model.ts'
import { wordsOf } from './naming.ts'

/** Decided by the service, not by a source. */
type Decided =
  | 'access'
  | 'optional'
  | 'sendable'
  | 'staysOnReplace'
  | 'neededOnReplace'
  | 'literalOnly'
  | 'comparisons'
  | 'printable'
  | 'mediaUrl'

/** The facts about a column that a source knows. */
export type FieldFacts = Pick<Field, 'name' | 'kind'> &
  Partial<Omit<Field, 'name' | 'kind' | Decided>> & {
    /** The ORM does not show the field, so responses do not either. @default the name decides */
    readonly access?: 'write-only'
  }

/** The facts about a table or view that a source knows. */
export interface TableFacts {
  /** The name of the model, singular in PascalCase: `OrderItem`. `modelNameOf` derives it from that of a table. */
  readonly name: string
  /** The label of the app that the model belongs to. @default `app` */
  readonly app?: string
  /** The name of the table in the database. Tables of migration tools are served only if the application asks for it. */
  readonly table?: string
  /** By default, fields are required and have the usual form of their kind. */
  readonly fields: readonly FieldFacts[]
  /** Field names in key order. */
  readonly primaryKey: readonly string[]
  /** Sets of fields with a unique constraint. */
  readonly uniques?: readonly (readonly string[])[]
  readonly foreignKeys?: readonly ForeignKeyFacts[]
  /** A view: it has only list and read endpoints. @default false */
  readonly readOnly?: boolean
  /**
   * The stores hide some records of the table themselves, such as deleted ones or those of another class. Clients then get the same
   * error for foreign keys to them as for missing records. @default false
   */
  readonly hidesRecords?: boolean
  /** The description as CommonMark, for the documentation. */
  readonly description?: string
}

/** The capabilities that concern values of a model. Absent capabilities count as missing. */
export interface ValueCapabilities {
  /** `eq`, `ne` and `in` compare strings byte for byte, also where the database's collation does not. */
  readonly exactText?: boolean
  /**
   * Only without `exactText`: `read`, `update`, `remove` and `take` compare keys byte for byte all the same. Keys, foreign keys
   * that the database checks, and unique fields may then be text. Conditions on those of one field compare them as the database
   * does, which takes no two records as equal. A part of a key of several fields does not tell records apart, so it cannot be
   * compared by itself.
   */
  readonly exactKeys?: boolean
  /** `contains` takes every character literally, also `%`, `_` and `\`. */
  readonly literalContains?: boolean
  /** Conditions can have the op `starts-with`: a text begins with a value, byte for byte and with every character taken literally. */
  readonly startsWith?: boolean
  /**
   * Conditions can have the op `equals-ignoring-case`: a text is a value but for the case of its letters, which is ignored as
   * `contains` does. Every character is taken literally.
   */
  readonly equalsIgnoringCase?: boolean
  /** Conditions can have the ops `json` and `json-null`, on fields that the source describes with `jsonPaths`. */
  readonly jsonPaths?: boolean
  /** Conditions can have the op `has-element`, on arrays that the source describes with `comparesElements`. */
  readonly arrayElements?: boolean
  /** An update can set a column to its default with `DEFAULT`. */
  readonly databaseDefaults?: boolean
}

/** The possible forms of a kind's values, the usual one first. */
const forms: Readonly<Partial<Record<FieldKind, readonly ValueForm[]>>> = {
  boolean: ['boolean'],
  integer: ['number'],
  float: ['number'],
  bigint: ['bigint', 'string'],
  decimal: ['string', 'number', 'bigint'],
  date: ['date', 'string'],
  datetime: ['date', 'string'],
  localdatetime: ['date', 'string'],
  bytes: ['bytes'],
  json: ['json'],
  array: ['json'],
  opaque: ['json', 'string'],
}

export const formsOf = (kind: FieldKind): readonly ValueForm[] => forms[kind] ?? ['string']

/**
 * Generated clients convert names to the naming style of their language, so they cannot have `createdAt` and `created_at`: the part
 * of the primary key stays, or that of a foreign key, or the first one.
 *
 * @returns the fields that clients do not have, with the one that stays
 * @throws StartError if both are parts of the primary key, which clients must have
 */
export const shadowedIn = ({
  name: model,
  fields,
  primaryKey,
  foreign,
}: {
  readonly name: string
  readonly fields: readonly { readonly name: string }[]
  readonly primaryKey: readonly string[]
  /** The fields of foreign keys. */
  readonly foreign: readonly string[]
}): ReadonlyMap<string, string> => {
  const rank = (name: string): number => (primaryKey.includes(name) ? 0 : foreign.includes(name) ? 1 : 2)
  const shadowed = new Map<string, string>()
  for (const alike of Map.groupBy(fields, ({ name }) => wordsOf(name).join(' ')).values()) {
    const [stays = '', ...others] = alike.map(({ name }) => name).toSorted((a, b) => rank(a) - rank(b))
    for (const other of others) {
      if (primaryKey.includes(other))
        throw new StartError(
          `${model}: the parts ${stays} and ${other} of the primary key differ only in naming style, such as camelCase and snake_case, so generated clients cannot have both. Rename one in the model and keep the name of its column.`,
        )
      shadowed.set(other, stays)
    }
  }
  return shadowed
}

/** A JavaScript object cannot have a field with this name. */
export const PROTOTYPE = '__proto__'

export const prototypeField = (place: string): StartError =>
  new StartError(
    `${place}: a field cannot be named __proto__. Rename the field and keep the name of its column.`,
  )
