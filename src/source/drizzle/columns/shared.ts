/**
 * What drizzle knows of a column of `users` at compile time. Written out, because a declaration file that is made from
 * one file alone cannot hold what drizzle infers.
 */
export interface UsersColumn<
  Name extends string,
  Type extends ColumnType,
  NotNull extends boolean,
  HasDefault extends boolean = false,
> {
  name: Name
  tableName: 'users'
  dataType: Type['dataType']
  columnType: Type['columnType']
  data: Type['data']
  driverParam: Type['driverParam']
  notNull: NotNull
  hasDefault: HasDefault
  isPrimaryKey: false
  isAutoincrement: false
  hasRuntimeDefault: false
  enumValues: Type['dataType'] extends 'string' ? [string, ...string[]] : undefined
  baseColumn: never
  identity: undefined
  generated: undefined
}

/** The key, which the database counts up. */
export type UsersKey<
  Type extends ColumnType,
  More extends { isAutoincrement: boolean; identity: 'always' | undefined },
> = Omit<UsersColumn<'id', Type, true, true>, 'isPrimaryKey' | keyof More> & { isPrimaryKey: true } & More

/** A type of column of a dialect. */
interface ColumnType {
  dataType: 'string' | 'number' | 'boolean' | 'date'
  columnType: string
  data: unknown
  driverParam: unknown
}

export interface Text<Name extends string, DriverParam = string> {
  dataType: 'string'
  columnType: Name
  data: string
  driverParam: DriverParam
}

export interface Whole<Name extends string, DriverParam> {
  dataType: 'number'
  columnType: Name
  data: number
  driverParam: DriverParam
}

export interface YesOrNo<Name extends string, DriverParam> {
  dataType: 'boolean'
  columnType: Name
  data: boolean
  driverParam: DriverParam
}

export interface Instant<Name extends string, DriverParam> {
  dataType: 'date'
  columnType: Name
  data: Date
  driverParam: DriverParam
}
