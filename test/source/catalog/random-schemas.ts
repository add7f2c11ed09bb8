import fc from 'fast-check'
import { spellings } from '../../../src/source/sql/text.ts'
import type { DatabaseKind } from './databases.ts'

/** A column of a random table. */
interface RandomColumn {
  readonly name: string
  readonly type: string
  readonly kind: string
  readonly nullable: boolean
  readonly default?: string
}

interface RandomForeignKey {
  readonly columns: readonly string[]
  readonly table: string
  readonly references: readonly string[]
  readonly onDelete: 'cascade' | 'no action' | 'set null'
}

export interface RandomTable {
  readonly name: string
  readonly columns: readonly RandomColumn[]
  readonly primaryKey: readonly string[]
  readonly uniques: readonly (readonly string[])[]
  readonly foreignKeys: readonly RandomForeignKey[]
}

type Types = Readonly<Record<string, readonly [kind: string, fallback?: string]>>

const common: Types = {
  integer: ['integer', '7'],
  smallint: ['integer', '-1'],
  bigint: ['bigint', '9007199254740993'],
  'decimal(12, 3)': ['decimal', '1.5'],
  'double precision': ['float', '0.5'],
  'varchar(40)': ['text', `'it''s'`],
  'char(3)': ['text', `'abc'`],
  date: ['date', `'2026-01-31'`],
  boolean: ['boolean', 'true'],
  json: ['json'],
}

const mysqlTypes: Types = {
  ...common,
  'int unsigned': ['integer', '7'],
  'bigint unsigned': ['bigint'],
  'timestamp(3) null': ['datetime'],
  'datetime(6)': ['localdatetime', 'current_timestamp(6)'],
  mediumtext: ['text'],
  'varbinary(16)': ['bytes'],
  "enum('new', 'it''s')": ['enum', "'new'"],
  "set('a', 'b')": ['token'],
}

const typesOf: Readonly<Record<DatabaseKind, Types>> = {
  sqlite: {
    ...common,
    datetime: ['datetime', 'current_timestamp'],
    text: ['text', `'new'`],
    blob: ['bytes'],
    timestamp: ['datetime'],
    'unsigned big int': ['integer'],
    'native character(70)': ['text'],
    geometry: ['token'],
    '': ['token'],
    'tinyint(1)': ['boolean', '1'],
  },
  pg: {
    ...common,
    text: ['text', `'new'`],
    bytea: ['bytes'],
    'timestamp with time zone': ['datetime', 'now()'],
    'timestamp(3)': ['localdatetime'],
    uuid: ['uuid', 'gen_random_uuid()'],
    jsonb: ['json'],
    'text[]': ['array'],
    interval: ['token'],
    tsquery: ['token'],
  },
  mariadb: { ...mysqlTypes, uuid: ['uuid'] },
  mysql: mysqlTypes,
}

/** Names that are keywords, no identifiers, or that collide as names of models and fields. */
const tableNames = fc.constantFrom(
  ...[
    'orders',
    'Order',
    'order_items',
    'group',
    'user',
    'users',
    'a.b',
    '1st',
    'größe',
    '注文',
    'docs',
    "it's",
    'x y',
    'x-y',
  ],
)
const columnNames = fc.constantFrom(
  ...[
    'name',
    'Status',
    'created_at',
    'createdAt',
    'select',
    'limit',
    'unit price',
    '価格',
    '2nd',
    'a"b',
    'a.b',
    'constructor',
    'x-y',
  ],
)

/** SQLite and MySQL ignore the case of names, so no two differ only by it. */
const distinct = <Of>(of: fc.Arbitrary<Of>, most: number, name: (one: Of) => string): fc.Arbitrary<Of[]> =>
  fc.uniqueArray(of, { minLength: 1, maxLength: most, selector: (one) => name(one).toLowerCase() })

const columnOf = (types: Types, names: RegExp): fc.Arbitrary<RandomColumn> =>
  fc
    .record({
      name: columnNames.filter((name) => names.test(name)),
      type: fc.constantFrom(...Object.keys(types)),
      nullable: fc.boolean(),
      hasDefault: fc.boolean(),
    })
    .map(({ name, type, nullable, hasDefault }) => {
      const [kind = '', fallback] = types[type] ?? []
      // A `timestamp` of MySQL would get the current time as its default.
      const isNullable = nullable || type.endsWith(' null')
      return { name, type, kind, nullable: isNullable, ...(hasDefault && fallback && { default: fallback }) }
    })

const keyTypes: readonly (readonly [type: string, kind: string])[] = [
  ['integer', 'integer'],
  ['varchar(20)', 'text'],
]

const filled = (name: string, [type, kind]: readonly [string, string], nullable = false): RandomColumn => ({
  ...{ name, type, kind, nullable },
})

/** Tables whose foreign keys lead to earlier ones, or to themselves. @param names @default all */
export const randomSchema = (kind: DatabaseKind, names = /^/): fc.Arbitrary<readonly RandomTable[]> =>
  distinct(
    fc.record({
      name: tableNames.filter((name) => names.test(name)),
      key: fc.array(fc.constantFrom(...keyTypes), { minLength: 1, maxLength: 2 }),
      columns: distinct(columnOf(typesOf[kind], names), 6, ({ name }) => name),
      hasUnique: fc.boolean(),
      links: fc.array(
        fc.record({ to: fc.nat(3), onDelete: fc.constantFrom('cascade', 'no action', 'set null') }),
        { maxLength: 2 },
      ),
    }),
    4,
    ({ name }) => name,
  ).map((drawn) => {
    const keyOf = (at: number) => (drawn[at]?.key ?? []).map((one, part) => filled(`key_${part}`, one))
    return drawn.map(({ name, columns, hasUnique, links }, at): RandomTable => {
      const targets = links.map(({ to, onDelete }, place) => {
        const target = to % (at + 1)
        const own = keyOf(target).map(({ type, kind: of }, part) =>
          filled(`link_${place}_${part}`, [type, of], true),
        )
        // MySQL refuses to set a key to null by a cycle of a table.
        return { own, target, onDelete: target === at ? ('no action' as const) : onDelete }
      })
      return {
        name,
        columns: [
          ...keyOf(at),
          ...columns,
          ...(hasUnique ? [filled('slug', ['varchar(30)', 'text'])] : []),
          ...targets.flatMap(({ own }) => own),
        ],
        primaryKey: keyOf(at).map((column) => column.name),
        uniques: hasUnique ? [['slug']] : [],
        foreignKeys: targets.map(({ own, target, onDelete }) => ({
          columns: own.map((column) => column.name),
          table: drawn[target]?.name ?? '',
          references: keyOf(target).map((column) => column.name),
          onDelete,
        })),
      }
    })
  })

/** The statements that make the tables. */
export const ddlOf = (tables: readonly RandomTable[], kind: DatabaseKind): readonly string[] => {
  const { quoted } = spellings[kind === 'mariadb' ? 'mysql' : kind]
  const list = (names: readonly string[]): string => names.map(quoted).join(', ')
  return tables.map(({ name, columns, primaryKey, uniques, foreignKeys }) => {
    const parts = [
      ...columns.map(({ name: column, type, nullable, default: fallback }) =>
        [
          quoted(column),
          type,
          nullable ? '' : 'not null',
          fallback === undefined ? '' : `default ${fallback}`,
        ].join(' '),
      ),
      `primary key (${list(primaryKey)})`,
      ...uniques.map((unique) => `unique (${list(unique)})`),
      ...foreignKeys.map(
        (key) =>
          `foreign key (${list(key.columns)}) references ${quoted(key.table)} (${list(key.references)}) on delete ${key.onDelete}`,
      ),
    ]
    return `create table ${quoted(name)} (${parts.join(', ')})`
  })
}

/** The statements that remove them. */
export const dropOf = (tables: readonly RandomTable[], kind: DatabaseKind): readonly string[] => {
  const { quoted } = spellings[kind === 'mariadb' ? 'mysql' : kind]
  return tables.toReversed().map(({ name }) => `drop table ${quoted(name)}`)
}
