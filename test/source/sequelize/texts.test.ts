import { DataTypes, type Options } from 'sequelize'
import { describe, expect, it } from 'vitest'
import { type Condition, everything } from '../../../src/entry/source.ts'
import { onPostgres } from '../../servers/test-database.ts'
import { onEachMysql } from '../../servers/test-mysql.ts'
import { mysqlOptions, openModels } from './databases.ts'
import { all, onPg } from './shop.ts'

const texts = [
  ...[
    `' or 1=1 -- `,
    `\\' or 1=1 -- `,
    `\\\\' or 1=1 -- `,
    'a\\b',
    '\\',
    `it's`,
    '"',
    '$1',
    '$$',
    'é$1',
    '\n\t',
  ],
  ...[`E'`, '\\x27', '\\u0027', ':name', '?', '`'],
]

const eq = (value: string): Condition => ({ op: 'eq', field: 'name', value })

/** Texts are found, changed and removed only as they are. */
const assertLiteral = async (options: Options, statement: string): Promise<void> => {
  const { store, source, sequelize } = await openModels({ ...options, pool: { max: 1 } }, (created) =>
    created.define('Word', { name: DataTypes.STRING(50) }, { timestamps: false, tableName: 'words' }),
  )
  await sequelize.query(statement)
  const words = store('Word')
  const [model] = source.models
  for (const name of texts) {
    expect(await words.count(eq(name), everything), name).toBe(0)
    const { id } = await words.create({ name })
    for (const condition of [eq(name), { op: 'in', field: 'name', values: [name, 'x'] } as const]) {
      expect(await words.read([id], condition), name).toEqual({ id, name })
      expect(await words.update([id], { name }, condition), name).toEqual({ id, name })
    }
    expect(
      await words.count({ op: 'contains', field: 'name', value: name }, everything),
      name,
    ).toBeGreaterThan(0)
    expect(await words.count({ op: 'lt', field: 'name', value: name }, eq(name)), name).toBe(0)
    const where = model && (source.conditionOf?.(model, eq(name)) as never)
    expect(await sequelize.model('Word').count({ where, replacements: { name: 'x' } } as object), name).toBe(
      1,
    )
    expect(await words.remove([id], eq(`${name}x`)), name).toBe(false)
    expect(await words.remove([id], eq(name)), name).toBe(true)
  }
  expect(await words.list(all, everything)).toEqual([])
}

onPostgres('texts without standard_conforming_strings', () =>
  describe('texts on PostgreSQL', () => {
    it('are literal without standard_conforming_strings', async () => {
      const dialectOptions = { options: '-c standard_conforming_strings=off -c backslash_quote=on' }
      const options = { ...(await onPg()), standardConformingStrings: false, dialectOptions }
      await assertLiteral(options, 'select 1')
    })
  }),
)

onEachMysql('texts', (kind) => {
  it('are literal with NO_BACKSLASH_ESCAPES', async () => {
    const mode = `set session sql_mode = concat(@@sql_mode, ',NO_BACKSLASH_ESCAPES,ANSI_QUOTES')`
    await assertLiteral(await mysqlOptions(kind), mode)
  })

  it('are literal in a column with another collation than that of the connection', async () => {
    const converted = 'alter table words convert to character set utf8mb4 collate utf8mb4_unicode_ci'
    await assertLiteral(await mysqlOptions(kind), converted)
  })
})
