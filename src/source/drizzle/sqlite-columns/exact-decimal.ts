import { type ColumnBuilderRuntimeConfig, entityKind, type HasDefault, is, SQL, sql } from 'drizzle-orm'
import { SQLiteColumn, SQLiteColumnBuilder, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { Unrepresentable } from '../../../model/codec.ts'
import { type DecimalStorage, decimalStorage } from './decimal-storage.ts'
import type { DecimalShape } from './minor-units.ts'

type BuilderConfig<TName extends string> = {
  name: TName
  dataType: 'string'
  columnType: 'SQLiteExactDecimal'
  data: string
  driverParam: number | string
  enumValues: undefined
}

type ColumnConfig = BuilderConfig<string> & {
  tableName: string
  notNull: boolean
  hasDefault: boolean
  isPrimaryKey: boolean
  isAutoincrement: boolean
  hasRuntimeDefault: boolean
}

type RuntimeConfig = { shape: DecimalShape; defaultText: string | undefined }

/** Drizzle tells its classes apart by this name. A declaration file made from one file alone cannot hold a static member of its key. */
const nameEntity = (entity: object, name: string): void => {
  Object.defineProperty(entity, entityKind, { value: name })
}

/** The column that `decimal()` builds. */
export class ExactDecimal extends SQLiteColumn<ColumnConfig, RuntimeConfig> {
  static {
    nameEntity(ExactDecimal, 'ModelrestExactDecimal')
  }
  readonly precision: number
  readonly scale: number
  /** The constant default as it is handed out: `'9.90'`. */
  readonly defaultText: string | undefined
  /** No `#private` member: drizzle wraps columns of views and aliases in proxies. */
  readonly storage: DecimalStorage

  constructor(table: SQLiteTable, config: ColumnBuilderRuntimeConfig<string, RuntimeConfig>) {
    super(table, config)
    this.precision = config.shape.precision
    this.scale = config.shape.scale
    this.defaultText = config.defaultText
    this.storage = decimalStorage(config.shape)
  }

  getSQLType(): string {
    return this.storage.sqlType
  }

  /** @throws Unrepresentable where something else wrote what is stored. */
  override mapFromDriverValue(stored: unknown): string {
    const value = this.storage.fromStored(stored)
    if (value !== undefined) return value
    throw new Unrepresentable(`${this.name} holds a value that decimal() did not write`)
  }

  /** @throws RangeError where the value does not fit. */
  override mapToDriverValue(value: unknown): number | string {
    return this.storage.toStored(String(value))
  }
}

/** Builds an {@link ExactDecimal}. */
export class ExactDecimalBuilder<TName extends string> extends SQLiteColumnBuilder<
  BuilderConfig<TName>,
  RuntimeConfig
> {
  static {
    nameEntity(ExactDecimalBuilder, 'ModelrestExactDecimalBuilder')
  }

  constructor(name: TName, shape: DecimalShape) {
    super(name, 'string', 'SQLiteExactDecimal')
    this.config.shape = shape
  }

  /**
   * The default is kept in its stored form, so that an insert and the DDL of drizzle-kit both write it as it is. It is
   * quoted, because drizzle-kit reads a quoted default of the database back unchanged: a push finds no difference.
   */
  override default(
    value: (this['_'] extends { $type: infer U } ? U : this['_']['data']) | SQL,
  ): HasDefault<this> {
    if (is(value, SQL)) return super.default(value)
    const storage = decimalStorage(this.config.shape)
    const stored = storage.toStored(String(value))
    this.config.defaultText = storage.fromStored(stored)
    return super.default(sql.raw(`'${stored}'`))
  }

  /** @internal */
  build(table: SQLiteTable): ExactDecimal {
    return new ExactDecimal(table, this.config)
  }
}
