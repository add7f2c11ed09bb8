import type { FieldFacts, TableFacts, ValueCapabilities } from '../../model/facts.ts'
import type { Field } from '../../model/model.ts'
import type { Note } from '../notes.ts'
import type { ColumnCodec } from './codecs.ts'
import { type DeclaredKey, type Described, describeMapped, type MappedModel } from './mapping.ts'
import type { MappedTable, TableMember } from './tables.ts'

/** A column with what its ORM declares of it. */
export interface DeclaredColumn {
  /** Its name in the database. */
  readonly column: string
}

/** A table that is served. */
export interface DeclaredTable<Column extends DeclaredColumn> {
  /** The name of its model. */
  readonly name: string
  /** By field. */
  readonly columns: readonly (readonly [field: string, column: Column])[]
}

export type Unique = MappedModel['indexes'][number]

/** What an ORM declares of a table. */
export interface Declaration<Column extends DeclaredColumn>
  extends Pick<TableFacts, 'primaryKey' | 'readOnly' | 'hidesRecords' | 'description'> {
  /** Its name in the database, without its schema. */
  readonly table: string
  readonly facts: (field: string, column: Column) => FieldFacts
  readonly uniques: readonly Unique[]
  readonly keys: readonly DeclaredKey[]
  /** Fields with foreign keys to tables that are not served. */
  readonly foreign: readonly string[]
}

/** A field with its column. */
export type DeclaredMember<Column extends DeclaredColumn, Of extends ColumnCodec> = Column &
  TableMember & { readonly codec: Of }

/** How tables with columns are described. Each is asked for once. */
interface Describing<One, Column extends DeclaredColumn, Of extends ColumnCodec, Mapped> {
  readonly declared: (one: One) => Declaration<Column>
  readonly codec: (column: Column, field: Field) => Of
  readonly mapped: (
    one: One,
    base: Omit<MappedTable<DeclaredMember<Column, Of>>, 'table' | 'indexed'>,
  ) => Mapped
}

export const describeDeclared = <
  One extends DeclaredTable<Column>,
  Column extends DeclaredColumn,
  Of extends ColumnCodec,
  Mapped extends MappedModel,
>(
  all: readonly One[],
  capabilities: ValueCapabilities,
  notes: readonly Note[],
  { declared, codec, mapped }: Describing<One, Column, Of, Mapped>,
): Described<Mapped> => {
  const tables = all.map((one) => {
    const of = declared(one)
    return { ...of, one, name: one.name, uniques: mergedUniques(of.uniques) }
  })
  return describeMapped(tables, capabilities, notes, {
    keys: ({ keys }) => keys,
    facts: ({ one, name, table, primaryKey, readOnly = false, facts, uniques, foreign, ...more }) => ({
      ...{ name, table, primaryKey, readOnly, hidesRecords: more.hidesRecords === true },
      ...(more.description && { description: more.description }),
      fields: one.columns.map(([field, column]) => ({
        ...facts(field, column),
        ...(primaryKey.includes(field) && { nullable: false }),
        ...(foreign.includes(field) && { foreign: true as const }),
      })),
      uniques: uniques.map(({ fields }) => fields),
    }),
    mapped: ({ one, table, uniques }, model) => {
      const columns = new Map(one.columns)
      const members = model.fields.flatMap((field) => {
        const column = columns.get(field.name)
        return column ? [[field.name, { ...column, field, codec: codec(column, field) }] as const] : []
      })
      return mapped(one, {
        ...{ model, name: table, members: new Map(members) },
        indexes: [{ names: ['PRIMARY', `${table}_pkey`], fields: model.primaryKey }, ...uniques],
      })
    },
  })
}

/** The fields with these columns. */
export const fieldsOfColumns = (
  { columns }: DeclaredTable<DeclaredColumn>,
  names: readonly string[],
): readonly string[] => names.flatMap((name) => columns.find(([, { column }]) => column === name)?.[0] ?? [])

/** The fields whose columns stand in an expression of SQL. */
export const fieldsIn = ({ columns }: DeclaredTable<DeclaredColumn>, expression: string): readonly string[] =>
  columns.flatMap(([field, { column }]) =>
    new RegExp(`(?<!\\w)${column.replace(/\W/g, '\\$&')}(?!\\w)`).test(expression) ? [field] : [],
  )

/** Unique keys of the same fields are one, with all of their names. */
const mergedUniques = (uniques: readonly Unique[]): readonly Unique[] =>
  [...Map.groupBy(uniques, ({ fields }) => [...fields].sort().join()).values()].map((same) => ({
    names: same.flatMap(({ names }) => names),
    fields: same[0]?.fields ?? [],
  }))
