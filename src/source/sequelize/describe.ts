import { StartError } from '../../error/errors.ts'
import type { ValueCapabilities } from '../../model/facts.ts'
import type { Note } from '../notes.ts'
import type { EntityCodec } from '../sql/codecs.ts'
import {
  type Declaration,
  type DeclaredMember,
  describeDeclared,
  type Unique,
} from '../sql/declared-table.ts'
import { type Described, ormModelName } from '../sql/mapping.ts'
import { isClass, servedBy } from '../sql/served.ts'
import type { MappedTable } from '../sql/tables.ts'
import { assertScopes, defaultFilterIn, defaultScopeOf } from './default-scope.ts'
import { factsOf, stampOf } from './fields.ts'
import {
  type Association,
  type AttributeColumn,
  associationsOf,
  type DeclaredModel,
  type DefaultScope,
  foreignKeysOf,
  hasScope,
} from './foreign-keys.ts'
import { type Attribute, codecOf, type Defined, type SequelizeDatabase, typeKeyOf } from './values.ts'

/** A field with its column. */
export type AttributeMember = DeclaredMember<AttributeColumn, EntityCodec>

/** A model with its table. */
export interface MappedDefined extends MappedTable<AttributeMember> {
  /** Without its default scope, whose conditions the statements add. */
  readonly unscoped: Defined
  readonly defined: Defined
  readonly scope: DefaultScope
  /** The alias of its records in a select of Sequelize, in SQL. */
  readonly alias: string
  /** The conditions that Sequelize adds to its own selects. @param alias of the table in the statement, in SQL */
  readonly defaultFilter: (alias: string) => readonly string[]
  /** Absent: statements of our own cannot write them as Sequelize does. */
  readonly columnsToWrite: DeclaredModel['columns'] | undefined
}

/** The models that are served: those given by their names, and the join tables between them; or all. */
const namedModels = (
  { sequelize }: SequelizeDatabase,
  given: Readonly<Record<string, unknown>> | undefined,
): ReadonlyMap<string, Defined> => {
  const all: readonly Defined[] = Object.values(sequelize.models)
  return servedBy('sequelizeModels', given, {
    all,
    ownName: ({ name }) => name,
    find: (value, name) => {
      const model = all.find((known) => known === value)
      // The index.js of sequelize-cli exports the class next to its models.
      if (model !== undefined || !isClass(value) || value === sequelize.constructor) return model
      throw new StartError(
        `sequelizeModels: ${name} is not a model of this instance of Sequelize. Call ${name}.init() with it before.`,
      )
    },
    joins: (served) => {
      const joins = [...served].flatMap(associationsOf).flatMap((one) => joinIn(one, served))
      return [...new Set(joins)].map((model) => [ormModelName(model.name), model])
    },
  })
}

const joinIn = ({ target, through }: Association, served: ReadonlySet<Defined>): readonly Defined[] =>
  through !== undefined && served.has(target as Defined) && !served.has(through.model) ? [through.model] : []

export const describeTables = (
  database: SequelizeDatabase,
  given: Readonly<Record<string, unknown>> | undefined,
  capabilities: ValueCapabilities,
): Described<MappedDefined> => {
  const notes: Note[] = []
  const named = namedModels(database, given)
  assertScopes(named)
  const served = [...named].flatMap(([name, defined]): readonly DeclaredModel[] => {
    const columns = Object.entries<Attribute>(defined.getAttributes())
      .filter(([, attribute]) => typeKeyOf(attribute) !== 'VIRTUAL')
      .map(([field, attribute]) => [field, { column: attribute.field ?? field, attribute }] as const)
    return [{ name, defined, columns, scope: defaultScopeOf(defined) }]
  })
  for (const { name, defined } of served)
    for (const association of associationsOf(defined))
      if (hasScope(association))
        notes.push({
          ...{ place: `${name}.${association.as}`, becomes: 'left out' },
          why: 'the association has a scope. Declare one without a scope, and filter it',
        })
  const byDefined = new Map(served.map((table) => [table.defined, table]))
  return describeDeclared(served, capabilities, notes, {
    declared: (table) => declaredOf(table, byDefined, database),
    codec: ({ attribute }, field) => codecOf(attribute, field, database),
    mapped: (table, base): MappedDefined => {
      const { defined, scope } = table
      return {
        ...{ ...base, defined, scope, unscoped: defined.unscoped() as Defined },
        ...{ table: database.table(defined), alias: database.quoted(defined.name) },
        columnsToWrite: columnsToWrite(table, database),
        indexed: plainIndexes(table),
        defaultFilter: defaultFilterIn(database, defined, scope, stampOf(defined, 'deletedAt')),
      }
    },
  })
}

const declaredOf = (
  table: DeclaredModel,
  others: ReadonlyMap<Defined, DeclaredModel>,
  { family }: SequelizeDatabase,
): Declaration<AttributeColumn> => {
  const { defined, columns } = table
  const keys = foreignKeysOf(table, others)
  const known = new Set(keys.flatMap(({ facts: { fields } }) => fields))
  const { comment } = defined.options
  return {
    ...{ table: defined.tableName, primaryKey: defined.primaryKeyAttributes, keys },
    facts: (name, { attribute }) => factsOf(name, attribute, table, family),
    uniques: uniquesOf(table),
    foreign: columns.flatMap(([name, { attribute }]) =>
      attribute.references !== undefined && !known.has(name) ? [name] : [],
    ),
    hidesRecords: table.scope.where !== undefined || stampOf(defined, 'deletedAt') !== undefined,
    ...(comment !== undefined && { description: comment }),
  }
}

/** What Sequelize does not type. */
type UniqueKeys = Readonly<Record<string, { readonly fields: readonly string[] }>>

/** The fields of indexes that are not unique. */
const plainIndexes = (table: DeclaredModel): readonly (readonly string[])[] =>
  (table.defined.options.indexes ?? []).flatMap(({ unique, type, where, fields: given = [] }) => {
    const fields = given.flatMap((column) => fieldOf(table, column))
    const isPlain = unique !== true && type === undefined && where === undefined
    return isPlain && fields.length === given.length ? [fields] : []
  })

/** The field of a column, as indexes name it. */
const fieldOf = ({ columns }: DeclaredModel, column: unknown): readonly string[] => {
  const name = typeof column === 'object' && column !== null ? Reflect.get(column, 'name') : column
  const found = columns.find(([, own]) => own.column === name) ?? columns.find(([own]) => own === name)
  return found === undefined ? [] : [found[0]]
}

/** Unique attributes and indexes. An index of a part of the rows does not count. */
const uniquesOf = (table: DeclaredModel): readonly Unique[] => {
  const { defined, columns } = table
  const { uniqueKeys = {} } = defined as Defined & { readonly uniqueKeys?: UniqueKeys }
  const declared = Object.entries(uniqueKeys).map(([name, { fields }]) => ({ name, fields }))
  const indexed = (defined.options.indexes ?? []).filter(
    ({ unique, type, where }) => (unique === true || type === 'UNIQUE') && where === undefined,
  )
  return [...declared, ...indexed].flatMap(({ name, fields: given = [] }) => {
    const fields = (given as readonly unknown[]).flatMap((column) => fieldOf(table, column))
    if (fields.length !== given.length || fields.length === 0) return []
    const own = fields.map((field) => columns.find(([known]) => known === field)?.[1].column ?? field)
    const base = [defined.tableName, ...own].join('_')
    return [
      { names: [...(name ? [name] : []), own.join('_'), `${base}_unique`, `${base}_key`, base], fields },
    ]
  })
}

/** The columns of all attributes, which need not be fields. */
const columnsToWrite = ({ defined, columns }: DeclaredModel, { changesWrites }: SequelizeDatabase) => {
  const stamps = [stampOf(defined, 'createdAt'), stampOf(defined, 'updatedAt')]
  const hasOwnTimes = columns.some(
    ([name, { attribute }]) => attribute.defaultValue !== undefined && stamps.includes(name),
  )
  return changesWrites || hasOwnTimes ? undefined : columns
}
