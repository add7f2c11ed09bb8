import type { WhereOptions } from 'sequelize'
import { StartError } from '../../error/errors.ts'
import { ownValue } from '../../model/objects.ts'
import type { Database, Defined } from './values.ts'

/** What the default scope of a model says of its records. */
export interface DefaultScope {
  /** Holds for each record that is read or written. */
  readonly where: WhereOptions | undefined
  /** Whether it reads an attribute. */
  reads(attribute: string): boolean
}

/** Parts of a scope that say how to list records, which the request decides, or what to load with them. */
const others: ReadonlySet<string> = new Set([
  'where',
  'attributes',
  'order',
  'include',
  'logging',
  'raw',
  'nest',
])

/** @throws StartError for a default scope whose conditions cannot hold for writes */
export const defaultScopeOf = (name: string, { options }: Defined): DefaultScope => {
  const { where, attributes, include, ...more } = options.defaultScope ?? {}
  const limiting = Object.keys(more).find((part) => !others.has(part))
  const isJoined = [include ?? []]
    .flat()
    .some(
      (part) =>
        typeof part === 'object' &&
        part !== null &&
        ('where' in part || Reflect.get(part, 'required') === true),
    )
  if (limiting !== undefined || isJoined || isNested(where))
    throw new StartError(
      `sequelizeModels: the default scope of ${name} limits its records by ${limiting ?? 'include'}, which cannot hold for writes. Use a condition in where, or leave the model out.`,
    )
  const only: readonly unknown[] | undefined = Array.isArray(attributes) ? attributes : undefined
  const excluded: readonly unknown[] = Object(attributes).exclude ?? []
  return { where, reads: (attribute) => only?.includes(attribute) ?? !excluded.includes(attribute) }
}

/** Whether a condition is on an included model: `$customer.name$`. */
const isNested = (where: unknown): boolean => {
  if (Array.isArray(where)) return where.some(isNested)
  if (typeof where !== 'object' || where === null) return false
  return Reflect.ownKeys(where).some(
    (key) => String(key).startsWith('$') || isNested(Reflect.get(where, key)),
  )
}

/** The conditions that Sequelize adds to selects of a model, as SQL on a table with this alias. */
export const livingIn = (
  database: Database,
  defined: Defined,
  { where }: DefaultScope,
  deletedAt: string | undefined,
): ((alias: string) => readonly string[]) => {
  const columnOf = (name: string): string => ownValue(defined.getAttributes(), name)?.field ?? name
  // As Sequelize does: a record that is not deleted has the default.
  const present: unknown =
    deletedAt === undefined ? null : (ownValue(defined.getAttributes(), deletedAt)?.defaultValue ?? null)
  const inSql = (alias: string): string => database.whereSql(inColumns(where, columnOf), alias, defined)
  // Sequelize would take it as a parameter in a statement that has parameters.
  if (where !== undefined && inSql(database.quoted(defined.name)).includes('$'))
    throw new StartError(
      `sequelizeModels: the default scope of ${defined.name} must not contain the character $.`,
    )
  return (alias) => [
    ...(deletedAt === undefined
      ? []
      : [database.whereSql({ [columnOf(deletedAt)]: present }, alias, defined)]),
    ...(where === undefined ? [] : [`(${inSql(alias)})`]),
  ]
}

/** A condition with names of columns instead of attributes, as Sequelize's own finds make it. */
const inColumns = (where: unknown, columnOf: (name: string) => string): unknown => {
  if (Array.isArray(where)) return where.map((part: unknown) => inColumns(part, columnOf))
  const isPlain =
    typeof where === 'object' && where !== null && Object.getPrototypeOf(where) === Object.prototype
  if (!isPlain) return where
  return Object.fromEntries(
    Reflect.ownKeys(where).map((key) => {
      const value: unknown = Reflect.get(where, key)
      return typeof key === 'string' ? [columnOf(key), value] : [key, inColumns(value, columnOf)]
    }),
  )
}
