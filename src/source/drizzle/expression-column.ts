import { Column, entityKind, is, type SQL, type Table } from 'drizzle-orm'

interface Decoder {
  readonly mapFromDriverValue: (value: unknown) => unknown
}

/**
 * The column that an expression of a view is to those who select from the view: `count(*)` as `total`. What the
 * expression was mapped with tells its type (`sql`…`.mapWith(Number)`, or with a column).
 */
export const expressionColumn = (table: Table, { sql, fieldAlias }: SQL.Aliased): Column => {
  const decoder = Reflect.get(sql, 'decoder') as Decoder
  return is(decoder, Column)
    ? renamed(decoder, table, fieldAlias)
    : new Expression(table, fieldAlias, decoder)
}

/** As drizzle does it for aliases: the same column but for its place. */
const renamed = (column: Column, table: Table, name: string): Column => {
  const place: Readonly<Record<string | symbol, unknown>> = { table, name, notNull: false, keyAsName: false }
  return new Proxy(column, {
    get: (target, property) => Reflect.get(Object.hasOwn(place, property) ? place : target, property),
  })
}

class Expression extends Column {
  static override readonly [entityKind]: string = 'ModelrestExpression'
  readonly decoder: Decoder

  constructor(table: Table, name: string, decoder: Decoder) {
    super(table, {
      name,
      keyAsName: false,
      notNull: false,
      default: undefined,
      defaultFn: undefined,
      onUpdateFn: undefined,
      hasDefault: false,
      primaryKey: false,
      isUnique: false,
      uniqueName: undefined,
      uniqueType: undefined,
      dataType: 'custom',
      columnType: decoder.mapFromDriverValue === Number ? 'NumberExpression' : 'Expression',
      generated: undefined,
      generatedIdentity: undefined,
    })
    this.decoder = decoder
  }

  getSQLType(): string {
    return 'expression'
  }

  override mapFromDriverValue(value: unknown): unknown {
    return this.decoder.mapFromDriverValue(value)
  }
}
