import { modelNameOf } from '../../src/model/naming.ts'
import type { Tables } from '../../src/source/drizzle/index.ts'
import { type Column, type Columns, type Declared, snake } from './columns.ts'
import { auditTables, type DialectName, dialects } from './dialects.ts'

/** What a database needs beside the columns. */
export interface Around {
  /** Key of a table -> its name. @default the key in snake case */
  readonly names?: Readonly<Record<string, string>>
  /** Foreign keys of several columns: key of a table -> the columns, and the table whose key they have. */
  readonly pairs?: Readonly<Record<string, readonly [columns: readonly string[], to: string]>>
  /** Adds the table of audit entries. @default false */
  readonly audit?: boolean
  /** Whether SQLite gets the types that ORMs read from its tables. @default false */
  readonly forOrms?: boolean
  /** Statements for every dialect, which fill the tables. */
  readonly rows?: readonly string[]
}

/** The tables of one dialect, and the statements that make and fill them. */
export interface Made {
  readonly tables: Tables
  readonly ddl: string
}

export const tableName = (key: string, { names = {} }: Around): string => names[key] ?? snake(key)

/** The model that drizzle makes of a table. */
export const modelOf = (key: string): string => modelNameOf(key)

const literal = (value: Column['default'], name: DialectName): string => {
  if (value instanceof Date) return dialects[name].time(value)
  if (typeof value === 'boolean') return name === 'sqlite' ? String(Number(value)) : String(value)
  return typeof value === 'number' ? String(value) : `'${value}'`
}

/** Types that ORMs read from the tables of SQLite. */
const ofOrms: Readonly<Record<string, string>> = { time: 'datetime', seconds: 'datetime', json: 'jsonb' }

const columnDdl = (name: DialectName, field: string, column: Column, { forOrms }: Around): string => {
  const { type, key, nullable = false, unique, default: value, check } = column
  if (key === 'counted') return `${snake(field)} ${dialects[name].counted}`
  return [
    ...[snake(field), (forOrms && name === 'sqlite' && ofOrms[type as string]) || dialects[name].type(type)],
    ...(nullable ? ['null'] : ['not null']),
    ...(value === undefined ? [] : [`default ${literal(value, name)}`]),
    ...(unique === true ? ['unique'] : []),
    ...(check === undefined ? [] : [`check (${check})`]),
  ].join(' ')
}

/** `accounts (id)` */
const referred = (refers: string, around: Around): string => {
  const [key = '', column = 'id'] = refers.split('.')
  return `${tableName(key, around)} (${snake(column)})`
}

const keysOf = (columns: Columns): readonly string[] =>
  Object.keys(columns).filter((field) => columns[field]?.key === 'given')

/** The statement that makes a table. */
export const createTable = (
  name: DialectName,
  key: string,
  declared: Declared,
  around: Around = {},
): string => {
  const columns = Object.entries(declared[key] ?? {})
  const keys = keysOf(declared[key] ?? {}).map(snake)
  const pair = around.pairs?.[key]
  const parts = [
    ...columns.map(([field, column]) => columnDdl(name, field, column, around)),
    ...columns.flatMap(([field, { unique }]) =>
      typeof unique === 'string' ? [`constraint ${unique} unique (${snake(field)})`] : [],
    ),
    ...(keys.length > 0 ? [`primary key (${keys})`] : []),
    ...columns.flatMap(([field, { refers }]) =>
      refers === undefined ? [] : [`foreign key (${snake(field)}) references ${referred(refers, around)}`],
    ),
    ...(pair === undefined
      ? []
      : [
          `foreign key (${pair[0].map(snake)}) references ${tableName(pair[1], around)} (${keysOf(declared[pair[1]] ?? {}).map(snake)})`,
        ]),
  ]
  return `create table ${tableName(key, around)} (${parts.join(', ')})`
}

const tablesIn = (name: DialectName, declared: Declared, around: Around): Tables => {
  const made: Record<string, Record<string, unknown>> = {}
  for (const [key, columns] of Object.entries(declared)) {
    const [fields, to] = around.pairs?.[key] ?? []
    const pair = fields && {
      fields,
      to: () => keysOf(declared[to ?? ''] ?? {}).map((field) => made[to ?? '']?.[field]),
    }
    const referred = (refers: string): unknown => {
      const [table = '', column = 'id'] = refers.split('.')
      return made[table]?.[column]
    }
    made[key] = dialects[name].table(tableName(key, around), columns, { referred, ...(pair && { pair }) })
  }
  return { ...made, ...(around.audit && { auditEntries: auditTables[name].table }) } as Tables
}

/** Tables for each dialect, those first that others refer to. */
export const declare = (declared: Declared, around: Around = {}): Readonly<Record<DialectName, Made>> => {
  const madeIn = (name: DialectName): Made => ({
    tables: tablesIn(name, declared, around),
    ddl: [
      ...Object.keys(declared).map((key) => createTable(name, key, declared, around)),
      ...(around.audit ? [auditTables[name].ddl] : []),
      ...(around.rows ?? []),
    ].join(';\n'),
  })
  return { sqlite: madeIn('sqlite'), postgres: madeIn('postgres'), mysql: madeIn('mysql') }
}
