import type {
  Model as Instance,
  literal,
  ModelAttributeColumnOptions,
  ModelStatic,
  Op,
  Sequelize,
  Transaction,
} from 'sequelize'
import type { Field } from '../../model/model.ts'
import { type ConnectionQueue, SourceError } from '../source.ts'
import { type EntityCodec, entityCodecOf, type Family, isMysql, plainDate } from '../sql/codecs.ts'
import { stringSql } from '../sql/strings.ts'
import { dateOf, utcText } from '../sql/times.ts'
import { declaredType } from '../sql/types.ts'

export type Attribute = ModelAttributeColumnOptions

/** A model of Sequelize. */
export type Defined = ModelStatic<Instance>

/** The options that say where a statement runs. */
export interface Within {
  readonly transaction: Transaction | null
  readonly useMaster: true
}

/** An instance of Sequelize with what its statements depend on. */
export interface SequelizeDatabase {
  readonly sequelize: Sequelize
  readonly family: Family
  readonly quoted: (name: string) => string
  /** The table of a model, in SQL. */
  readonly table: (model: Defined) => string
  /** A condition of Sequelize in SQL, on a table with this alias. */
  readonly whereSql: (where: unknown, alias: string, model: Defined) => string
  /** Those of the application's copy of Sequelize. */
  readonly sequelizeLiteral: typeof literal
  readonly and: typeof Op.and
  readonly eq: typeof Op.eq
  readonly Model: typeof Instance
  readonly select: <Raw extends object>(sql: string, options?: Within) => Promise<readonly Raw[]>
  readonly insert: (sql: string, options: Within) => Promise<readonly [counted: unknown, changed: number]>
  /** Makes the settings of the connection of a transaction of MySQL right. */
  readonly rightSession: (options: Within) => Promise<unknown>
  /** Whether options make Sequelize refuse or leave out values, or send several statements in one. */
  readonly changesWrites: boolean
  /** The zone in which Sequelize stores times. */
  readonly timezone: string
  /** The file of SQLite. */
  readonly storage: string | undefined
  /** Those of its pool. */
  readonly queues: readonly ConnectionQueue[]
  /** How far the times of MySQL are from UTC, in milliseconds. */
  readonly offset: number
}

export const UTC = '+00:00'

export const codecOf = (
  attribute: Attribute,
  field: Omit<Field, 'access' | 'optional'>,
  { family, offset, timezone, sequelizeLiteral }: SequelizeDatabase,
): EntityCodec => {
  // Where the database fills in a time itself, or the zone changes, the strings have another order than the times.
  const isMixed = timezone !== UTC || isFilled(attribute)
  const key = typeKeyOf(attribute).toLowerCase()
  // Sequelize makes it of characters.
  const stored = key === 'uuid' && isMysql(family) ? 'char' : key
  const type = key === 'float' ? declaredType(sqlOf(attribute)).name : stored
  const codec = entityCodecOf({ field, type, isMixed, offset }, family)
  // Sequelize would store the SQL of bytes.
  if (field.kind === 'array' && field.element?.kind === 'bytes')
    return {
      ...codec,
      inEntity: (value) => sequelizeLiteral(`${stringSql(family, String(codec.param(value)))}::bytea[]`),
    }
  if (field.kind === 'bytes') return { ...codec, inEntity: codec.param }
  if (field.kind !== 'datetime') return codec
  return {
    ...codec,
    ...(family === 'sqlite' && !isMixed && { param: (value) => `${utcText(value)} ${UTC}` }),
    inEntity: plainDate,
    ofEntity: (value) => (value instanceof Date ? value : dateOf(value)),
  }
}

/** A default that the database computes. */
const isFilled = ({ defaultValue }: Attribute): boolean =>
  typeof defaultValue === 'object' && defaultValue !== null && !(defaultValue instanceof Date)

/** A value in SQL. Sequelize would escape strings for one mode of the server, and replace `$1` inside of them. */
export const literalSql = (
  { sequelize, family }: SequelizeDatabase,
  value: unknown,
  field: string,
): string => {
  if (typeof value !== 'string') return String(sequelize.escape(value as string))
  // PostgreSQL cannot store it, and Sequelize would replace it with other characters.
  if (family === 'pg' && value.includes('\0'))
    throw new SourceError('value', { fields: [field].filter(Boolean) })
  return stringSql(family, value)
}

/** Whether a value is an expression of Sequelize, such as a function. */
export const isSql = ({ sequelizeLiteral }: SequelizeDatabase, value: unknown): boolean => {
  const kinds: unknown = Object.getPrototypeOf(sequelizeLiteral('').constructor)
  return typeof kinds === 'function' && value instanceof kinds
}

/** The name of a type: `STRING`, or the first word of a type that is given as SQL. */
export const typeKeyOf = ({ type }: Pick<Attribute, 'type'>): string => {
  const key: unknown = typeof type === 'string' ? type.split(/[ (]/)[0] : Reflect.get(type, 'key')
  return String(key).toUpperCase()
}

/** The type as it stands in DDL. */
export const sqlOf = ({ type }: Pick<Attribute, 'type'>): string =>
  typeof type === 'string' ? type : (type as { toSql(): string }).toSql()
