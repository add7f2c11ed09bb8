import type { IncludeOptions } from 'sequelize'
import { StartError } from '../../error/errors.ts'
import { ownValue } from '../../model/objects.ts'
import { type Association, associationsOf, type DefaultScope } from './foreign-keys.ts'
import type { Defined, SequelizeDatabase } from './values.ts'

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

/** The part of the default scope of a model that limits its records and cannot hold for writes. */
const limitOf = (defined: Defined): string | undefined => {
  const { where, attributes: _attributes, include, ...more } = defined.options.defaultScope ?? {}
  const limiting = Object.keys(more).find((part) => !others.has(part))
  if (limiting !== undefined) return limiting
  return isNested(where) || isLimited(defined, include) ? 'include' : undefined
}

/** @throws StartError that names all models with a default scope that cannot hold for writes */
export const assertScopes = (models: Iterable<readonly [name: string, defined: Defined]>): void => {
  const refused = [...models].flatMap(([name, defined]) => {
    const limit = limitOf(defined)
    return limit === undefined ? [] : [`${name} (${limit})`]
  })
  if (refused.length > 0)
    throw new StartError(
      `sequelizeModels: default scopes limit records by parts that cannot hold for writes: ${refused.join(', ')}. Use a condition in where, or leave these models out.`,
    )
}

/** Whether models that are loaded with a record limit which records there are. */
export const isLimited = (defined: Defined, include: unknown): boolean =>
  [include ?? []].flat().some((part: unknown) => {
    if (typeof part !== 'object' || part === null) return false
    const { where, required, include: inner, paranoid }: IncludeOptions = part
    const association = associationOf(defined, part)
    const target = association?.target as Defined | undefined
    if (where !== undefined || (target !== undefined && isLimited(target, inner))) return true
    return required === true && !(association && isAlwaysThere(defined, association, paranoid))
  })

const associationOf = (defined: Defined, part: IncludeOptions): Association | undefined => {
  const { association, model, as } = part
  return associationsOf(defined).find(
    (one) =>
      one === part ||
      one === association ||
      one.as === (association ?? as) ||
      (as === undefined && model !== undefined && one.target === model),
  )
}

/** Whether each record has one: the key cannot be null, the database checks it, and Sequelize hides no record of the other model. */
const isAlwaysThere = (
  defined: Defined,
  { associationType, foreignKey, target, options }: Association,
  paranoid: boolean | undefined,
): boolean => {
  const { defaultScope, paranoid: isParanoid } = (target as Defined).options
  return (
    associationType === 'BelongsTo' &&
    options?.constraints !== false &&
    ownValue(defined.getAttributes(), foreignKey)?.allowNull === false &&
    (isParanoid !== true || paranoid === false) &&
    Object.keys(defaultScope ?? {}).length === 0
  )
}

export const defaultScopeOf = ({ options }: Defined): DefaultScope => {
  const { where, attributes } = options.defaultScope ?? {}
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
export const defaultFilterIn = (
  database: SequelizeDatabase,
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
