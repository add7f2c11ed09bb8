import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CatalogTable } from '../../../src/source/catalog/facts.ts'
import { catalogSource, readCatalog } from '../../../src/source/catalog/index.ts'
import { runs } from '../../runs.ts'
import { type EmptyDatabase, onEachCatalog, onSqliteCatalog } from './databases.ts'
import { ddlOf, dropOf, type RandomTable, randomSchema } from './random-schemas.ts'
import { expectSame } from './same-facts.ts'

const { numRuns } = runs(60)

/** Facts in an order of their own. */
const sortedBy = <Of>(all: readonly Of[], text: (one: Of) => string): readonly Of[] =>
  all.toSorted((one, other) => (text(one) < text(other) ? -1 : 1))

const foundIn = ({ name, columns, primaryKey, indexes, foreignKeys }: CatalogTable) => ({
  name,
  columns: columns.map((column) => ({
    name: column.name,
    nullable: column.nullable,
    hasDefault: column.default !== undefined,
  })),
  primaryKey,
  uniques: indexes.filter(({ isUnique }) => isUnique).map((index) => index.columns),
  foreignKeys: sortedBy(
    foreignKeys.map((key) => ({
      ...{ columns: key.columns, table: key.table, references: key.references },
      onDelete: key.onDelete.replace('restrict', 'no action'),
    })),
    ({ columns: names }) => names.join(),
  ),
})

const statedIn = ({ name, columns, primaryKey, uniques, foreignKeys }: RandomTable) => ({
  name,
  columns: columns.map((column) => ({
    name: column.name,
    nullable: column.nullable,
    hasDefault: column.default !== undefined,
  })),
  ...{ primaryKey, uniques },
  foreignKeys: sortedBy(foreignKeys, ({ columns: names }) => names.join()),
})

const schemas = async (
  { kind, execute }: EmptyDatabase,
  check: (tables: readonly RandomTable[]) => Promise<void>,
  names?: RegExp,
): Promise<void> => {
  await fc.assert(
    fc.asyncProperty(randomSchema(kind, names), async (tables) => {
      await execute(...ddlOf(tables, kind))
      try {
        await check(tables)
      } finally {
        await execute(...dropOf(tables, kind))
      }
    }),
    { numRuns },
  )
}

onEachCatalog('a random schema', (open) => {
  test('is read as it was made', async () => {
    const opened = await open()
    const { database } = opened
    await schemas(opened, async (tables) => {
      const found = await readCatalog((text) => database.run(text, [], 'all'), database.dialect)
      const byName = ({ name }: { readonly name: string }): string => name
      expect(sortedBy(found.tables.map(foundIn), byName)).toEqual(sortedBy(tables.map(statedIn), byName))
    })
  })

  test('is read as MikroORM reads it', async () => {
    const opened = await open()
    // MikroORM writes names into its statements as they are, and fails for a column without a type.
    const isKnown = ({ columns }: RandomTable): boolean => columns.every(({ type }) => type !== '')
    await schemas(opened, async (tables) => (tables.every(isKnown) ? expectSame(opened) : undefined), /^\w+$/)
  })

  test('is a source whose tables can be read, with a path for each table', async () => {
    const opened = await open()
    await schemas(opened, async (tables) => {
      const { source, renamed } = await catalogSource(opened.database)
      expect(source.models).toHaveLength(tables.length)
      expect(new Set(source.models.map(({ path }) => path)).size).toBe(tables.length)
      expect(await source.missing?.(source.models)).toEqual([])
      for (const model of source.models) {
        expect(
          await source.store(model).count({ op: 'and', conditions: [] }, { op: 'and', conditions: [] }),
        ).toBe(0)
        for (const { name } of model.fields) expect(name).toMatch(/^[A-Za-z_]\w*$/)
      }
      const kinds = source.models.flatMap(({ fields }) => fields.map(({ kind }) => kind))
      expect(kinds.toSorted()).toEqual(
        tables.flatMap(({ columns }) => columns.map(({ kind }) => kind)).toSorted(),
      )
      for (const { name } of tables)
        if (!/^[\w-]+$/.test(name)) expect(renamed.map(({ place }) => place)).toContain(name)
    })
  })
})

/** SQLite takes any words for a type. */
const typeWords = fc.constantFrom(
  ...[
    'int',
    'integer',
    'unsigned',
    'big',
    'varying',
    'char',
    'character',
    'text',
    'clob',
    'blob',
    'real',
    'double',
    'floating',
    'point',
  ],
  ...[
    'date',
    'time',
    'timestamp',
    'datetime',
    'with',
    'zone',
    'decimal',
    'numeric',
    'number',
    'boolean',
    'string',
    'json',
    'uuid',
    'enum',
    'any',
    'year',
  ],
)

const anyType = fc
  .tuple(fc.array(typeWords, { maxLength: 4 }), fc.constantFrom('', '(1)', '(10)', '(10, 2)'))
  .map(([words, length]) => (words.length === 0 ? '' : `${words.join(' ')}${length}`))

onSqliteCatalog('a column of SQLite', (open) => {
  test('of any type is one that can be served', async () => {
    const { database, execute } = await open()
    await execute('pragma foreign_keys = on')
    await fc.assert(
      fc.asyncProperty(fc.array(anyType, { minLength: 1, maxLength: 5 }), async (types) => {
        const columns = types.map((type, at) => `c${at} ${type}`).join(', ')
        await execute(
          'drop table if exists things',
          `create table things (id integer primary key, ${columns})`,
          'insert into things (id) values (1)',
        )
        const { source } = await catalogSource(database)
        const [model] = source.models
        expect(model?.fields).toHaveLength(types.length + 1)
        // SQLite itself reads these parts of a name, so clients can write the column.
        for (const [at, type] of types.entries())
          if (/int|char|clob|text|real|floa|doub/.test(type))
            expect(model?.fields[at + 1], type).toMatchObject({ generated: false })
        expect(await source.missing?.(source.models)).toEqual([])
        expect(await source.store(model as never).read([1], { op: 'and', conditions: [] })).toMatchObject({
          id: 1,
          c0: null,
        })
      }),
      { numRuns: 300 },
    )
  })
})
