import { StartError } from '../../error/errors.ts'
import type { FieldFacts, TableFacts, ValueCapabilities } from '../../model/facts.ts'
import { ownValue } from '../../model/objects.ts'
import {
  type Described,
  describeDrawn,
  givenOnce,
  isClass,
  mergedUniques,
  namedOnce,
  nameOf,
} from '../sql/mapping.ts'
import type { Member as SqlMember, MappedTable as SqlTable } from '../sql/tables.ts'
import { type DefaultScope, defaultScopeOf, livingIn } from './default-scope.ts'
import { factsOf } from './fields.ts'
import { type Association, associationsOf, type Drawn, isScoped, keysOf } from './foreign-keys.ts'
import { type Attribute, type Codec, codecOf, type Database, type Defined, keyOf } from './values.ts'

/** A field with its column. */
export interface Member extends SqlMember {
  readonly attribute: Attribute
  readonly codec: Codec
}

/** A model with its table. */
export interface MappedTable extends SqlTable<Member> {
  /** Without its default scope, whose conditions the statements add. */
  readonly unscoped: Defined
  readonly defined: Defined
  readonly scope: DefaultScope
  /** The alias of its records in a select of Sequelize, in SQL. */
  readonly alias: string
  /** Absent: statements of our own cannot write them as Sequelize does. */
  readonly columnsToWrite: readonly ColumnToWrite[] | undefined
}

/** A column with its attribute, which need not be a field. */
export interface ColumnToWrite {
  readonly name: string
  readonly attribute: Attribute
  readonly sql: string
}

/** Model name -> model of Sequelize. */
export type NamedModels = ReadonlyMap<string, Defined>

/** The models that are served: those given by their names, and the join tables between them; or all. */
export const namedModels = (
  { sequelize }: Database,
  given: Readonly<Record<string, unknown>> | undefined,
): NamedModels => {
  const all: readonly Defined[] = Object.values(sequelize.models)
  const pairOf = (model: Defined) => [nameOf(model.name), model] as const
  if (given === undefined) return namedOnce('sequelizeModels', all.map(pairOf))
  const find = (value: object, name: string): Defined | undefined => {
    const model = all.find((known) => known === value)
    if (model !== undefined || !isClass(value)) return model
    throw new StartError(
      `sequelizeModels: ${name} is not a model of this instance of Sequelize. Call ${name}.init() with it before.`,
    )
  }
  const named = givenOnce('sequelizeModels', given, find, ({ name }) => name)
  const served = new Set(named.map(([, model]) => model))
  const joins = new Set([...served].flatMap(associationsOf).flatMap((one) => joinIn(one, served)))
  return namedOnce('sequelizeModels', [...named, ...[...joins].map(pairOf)])
}

const joinIn = ({ target, through }: Association, served: ReadonlySet<Defined>): readonly Defined[] =>
  through !== undefined && served.has(target as Defined) && !served.has(through.model) ? [through.model] : []

export const describeTables = (
  database: Database,
  named: NamedModels,
  capabilities: ValueCapabilities,
): Described<MappedTable> => {
  const notes: string[] = []
  const drawn = [...named].flatMap(([name, defined]): readonly Drawn[] => {
    if (defined.primaryKeyAttributes.length === 0) {
      notes.push(`${name} is left out: it has no primary key. Declare one, also for a view.`)
      return []
    }
    const attributes = Object.entries(defined.getAttributes())
      .filter(([, attribute]) => keyOf(attribute) !== 'VIRTUAL')
      .map(([field, attribute]) => [field, attribute as Attribute] as const)
    return [{ name, defined, attributes, scope: defaultScopeOf(name, defined) }]
  })
  for (const { name, defined } of drawn)
    for (const association of associationsOf(defined))
      if (isScoped(association))
        notes.push(
          `${name}.${association.as} is left out: its association has a scope. Declare one without a scope, and filter it.`,
        )
  const byDefined = new Map(drawn.map((table) => [table.defined, table]))
  return describeDrawn(drawn, capabilities, notes, {
    facts: (table) => tableFacts(table, byDefined, database),
    keys: (table) => keysOf(table, byDefined),
    mapped: (table, model) => mapped(table, model, database),
  })
}

const tableFacts = (table: Drawn, others: ReadonlyMap<Defined, Drawn>, database: Database): TableFacts => {
  const { name, defined, attributes, scope } = table
  const [kept, version] = [keptOf(defined), versionIn(defined)]
  const keys = keysOf(table, others)
  const known = new Set(keys.flatMap(({ facts: { fields } }) => fields))
  return {
    ...{ name, table: defined.tableName, primaryKey: defined.primaryKeyAttributes },
    fields: attributes.map(
      ([field, attribute]): FieldFacts => ({
        ...factsOf({
          ...{ name: field, attribute, model: defined, family: database.family },
          ...{ isKept: kept.has(field), isHidden: !scope.reads(field) },
        }),
        ...(field === version && { raised: true as const }),
        ...(attribute.references !== undefined && !known.has(field) && { foreign: true as const }),
      }),
    ),
    uniques: uniquesOf(table).map(({ fields }) => fields),
    foreignKeys: keys.map(({ facts }) => facts),
    ...(defined.options.comment !== undefined && { description: defined.options.comment }),
  }
}

/** The attribute that Sequelize keeps a time in, if the model has it. */
export const stampOf = (
  { options: { timestamps = true, paranoid = false, ...given } }: Defined,
  stamp: 'createdAt' | 'updatedAt' | 'deletedAt',
): string | undefined => {
  const { [stamp]: name = stamp } = given
  if (!timestamps || name === false || (stamp === 'deletedAt' && !paranoid)) return undefined
  return name === true ? stamp : name
}

/** The attributes that Sequelize fills in itself. */
const keptOf = (defined: Defined): ReadonlySet<string | undefined> =>
  new Set([
    ...(['createdAt', 'updatedAt', 'deletedAt'] as const).map((stamp) => stampOf(defined, stamp)),
    versionIn(defined),
  ])

/** The attribute that Sequelize raises with each update. */
const versionIn = ({ options: { version = false } }: Defined): string | undefined =>
  version === true ? 'version' : version || undefined

/** Unique attributes and indexes. An index of a part of the rows does not count. */
const uniquesOf = ({ defined, attributes }: Drawn): MappedTable['indexes'] => {
  const fieldOf = (column: unknown): readonly string[] => {
    const name = typeof column === 'object' && column !== null ? Reflect.get(column, 'name') : column
    const found =
      attributes.find(([own, { field = own }]) => field === name) ?? attributes.find(([own]) => own === name)
    return found === undefined ? [] : [found[0]]
  }
  const keys: unknown = Reflect.get(defined, 'uniqueKeys')
  const declared = Object.entries(
    (keys ?? {}) as Readonly<Record<string, { fields: readonly string[] }>>,
  ).map(([name, { fields }]) => ({ name, columns: fields }))
  const indexed = (defined.options.indexes ?? [])
    .filter(({ unique, type, where }) => (unique === true || type === 'UNIQUE') && where === undefined)
    .map(({ name, fields = [] }) => ({ name, columns: fields as readonly unknown[] }))
  const all = [...declared, ...indexed].flatMap(({ name, columns }) => {
    const fields = columns.flatMap(fieldOf)
    if (fields.length !== columns.length || fields.length === 0) return []
    const own = fields.map((field) => attributes.find(([known]) => known === field)?.[1].field ?? field)
    const base = [defined.tableName, ...own].join('_')
    return [
      { names: [...(name ? [name] : []), own.join('_'), `${base}_unique`, `${base}_key`, base], fields },
    ]
  })
  return mergedUniques(all)
}

const columnsToWrite = ({ defined, attributes }: Drawn, { changesWrites, quoted }: Database) => {
  const stamps = [stampOf(defined, 'createdAt'), stampOf(defined, 'updatedAt')]
  const hasOwnTimes = attributes.some(
    ([name, { defaultValue }]) => defaultValue !== undefined && stamps.includes(name),
  )
  if (changesWrites || hasOwnTimes) return undefined
  return attributes.map(([name, attribute]) => ({ name, attribute, sql: quoted(attribute.field ?? name) }))
}

const mapped = (table: Drawn, model: MappedTable['model'], database: Database): MappedTable => {
  const { defined, attributes, scope } = table
  const columns = Object.fromEntries(attributes.map(([name, { field = name }]) => [name, field]))
  const members = model.fields.flatMap((field): readonly (readonly [string, Member])[] => {
    const attribute = attributes.find(([name]) => name === field.name)?.[1]
    const column = ownValue(columns, field.name)
    if (attribute === undefined || column === undefined) return []
    return [[field.name, { field, column, attribute, codec: codecOf(attribute, field, database) }]]
  })
  return {
    ...{ model, defined, scope, columns, members: new Map(members), name: defined.tableName },
    unscoped: defined.unscoped() as Defined,
    table: database.table(defined),
    alias: database.quoted(defined.name),
    columnsToWrite: columnsToWrite(table, database),
    indexes: [
      { names: ['PRIMARY', `${defined.tableName}_pkey`], fields: model.primaryKey },
      ...uniquesOf(table),
    ],
    living: livingIn(database, defined, scope, stampOf(defined, 'deletedAt')),
  }
}
