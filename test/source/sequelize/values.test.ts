import { DataTypes, type Model } from 'sequelize'
import { expect, it } from 'vitest'
import { type Condition, everything } from '../../../src/entry/source.ts'
import { type Opened, onEachDatabase, openModels } from './databases.ts'
import type { Open } from './shop.ts'

const opened = async (open: Open): Promise<Opened> =>
  openModels(await open(), (sequelize) =>
    sequelize.define(
      'Thing',
      {
        code: DataTypes.STRING(50),
        amount: DataTypes.DECIMAL(15, 2),
        at: DataTypes.DATE(3),
        day: DataTypes.DATEONLY,
        meta: DataTypes.JSON,
        large: DataTypes.BIGINT,
        ...(sequelize.getDialect() === 'postgres' && {
          words: DataTypes.ARRAY(DataTypes.TEXT),
          numbers: DataTypes.ARRAY(DataTypes.BIGINT),
        }),
      },
      { timestamps: false, tableName: 'things' },
    ),
  )

const eq = (field: string, value: unknown): Condition => ({ op: 'eq', field, value })

onEachDatabase('values', (open) => {
  it('of large decimals and integers have exact sums', async () => {
    const { store, sequelize } = await opened(open)
    const things = store('Thing')
    for (let at = 0; at < 10; at++)
      await things.create({
        amount: sequelize.getDialect() === 'sqlite' ? 9_999_999_999_999.99 : '9999999999999.99',
        large: '9223372036854775807',
      })
    // More than 64 bits of cents in SQLite, which adds integers.
    await sequelize.query(
      'insert into things (amount) select a.amount from things a, things b, things c, things d',
    )
    const aggregation = {
      ...{ filter: everything, groups: [], limit: 1, order: [], timezone: 'UTC' },
      aggregates: [
        { fn: 'sum', field: 'amount' },
        { fn: 'sum', field: 'large' },
      ] as const,
    }
    expect(await things.aggregate?.(aggregation, everything)).toMatchObject([
      { sum_amount: '100099999999999899.90', sum_large: 92233720368547758070n },
    ])
  })

  it('of long lists are found', async () => {
    const { store } = await opened(open)
    await store('Thing').create({ code: 'v9999' })
    const values = Array.from({ length: 10_000 }, (_, at) => `v${at}`)
    expect(await store('Thing').count({ op: 'in', field: 'code', values }, everything)).toBe(1)
  })

  it('of times are found in every range', async () => {
    const { store } = await opened(open)
    const at = new Date('2026-01-31T10:00:00.123Z')
    await store('Thing').create({ at, day: '2026-01-31' })
    for (const far of ['0001-01-01', '0050-01-01', '1960-01-01', '2500-01-01', '9999-12-31']) {
      const value = new Date(`${far}T00:00:00.000Z`)
      const isBefore = value < at
      expect(await store('Thing').count({ op: 'gt', field: 'at', value }, everything), far).toBe(
        isBefore ? 1 : 0,
      )
      expect(await store('Thing').count({ op: 'lt', field: 'at', value }, everything), far).toBe(
        isBefore ? 0 : 1,
      )
      expect(await store('Thing').count({ op: 'gt', field: 'day', value: far }, everything), far).toBe(
        isBefore ? 1 : 0,
      )
      const { id } = await store('Thing').create({ at: value, day: far })
      expect(await store('Thing').read([id], eq('at', value)), far).toMatchObject({ at: value, day: far })
      expect(await store('Thing').remove([id], eq('at', value))).toBe(true)
    }
    expect(await store('Thing').count(eq('at', at), everything)).toBe(1)
  })

  it('that a getter may mask are not revealed by conditions, groups and sort keys', async () => {
    const { source } = await openModels(await open(), (sequelize) =>
      sequelize.define('Card', {
        number: {
          type: DataTypes.STRING(20),
          get(this: Model) {
            return String(this.getDataValue('number' as never)).replace(/\d(?=\d{4})/g, '*')
          },
        },
      }),
    )
    const number = source.models[0]?.fields.find(({ name }) => name === 'number')
    expect(number).toMatchObject({ kind: 'text', conditions: 'null' })
  })

  it('that are expressions are not constant defaults', async () => {
    const { source } = await openModels(await open(), (sequelize) => {
      const empty = sequelize.getDialect() === 'postgres' ? `'{}'::json` : `('{}')`
      sequelize.define('Part', { meta: { type: DataTypes.JSON, defaultValue: sequelize.literal(empty) } })
    })
    const meta = source.models[0]?.fields.find(({ name }) => name === 'meta')
    expect(meta).toMatchObject({ hasDefault: true })
    expect(meta).not.toHaveProperty('default')
  })

  it('of times near the last year are compared in each zone of the connection', async () => {
    const options = await open()
    // Sequelize refuses other zones on SQLite.
    const isSqlite = options.dialect === 'sqlite'
    for (const timezone of isSqlite ? ['+00:00'] : ['+02:30', '-11:00']) {
      const { store, sequelize } = await openModels({ ...options, timezone }, (created) =>
        created.define('Event', { at: DataTypes.DATE(3) }, { timestamps: false }),
      )
      const at = new Date('2026-01-31T10:00:00.123Z')
      const { id } = await store('Event').create({ at })
      const last = new Date('9999-12-31T23:59:59.999Z')
      const first = new Date('0001-01-01T00:00:00.000Z')
      for (const [op, value] of [
        ['lt', last],
        ['gt', first],
        ['ne', last],
        ['eq', at],
      ] as const)
        expect(await store('Event').count({ op, field: 'at', value }, everything), op).toBe(1)
      expect(await store('Event').count(eq('at', last), everything)).toBe(0)
      expect(await store('Event').read([id], everything)).toEqual({ id, at })
      await sequelize.drop()
    }
  })

  it('inside of JSON and arrays are taken literally', async () => {
    const { store, sequelize } = await opened(open)
    const isPg = sequelize.getDialect() === 'postgres'
    for (const text of [
      `'`,
      '"',
      '\\',
      '$1',
      ':x',
      '?',
      '\\\\"',
      '{',
      '}',
      ',',
      'NULL',
      'null',
      '',
      ' ',
      '\u2028',
      "\\'; --",
    ]) {
      const meta = { [text]: text, val: text, list: [text, { [text]: [text] }] }
      const given = { meta, ...(isPg && { words: [text, 'x'], numbers: ['9223372036854775807'] }) }
      const { id } = await store('Thing').create(given)
      expect(await store('Thing').read([id], everything), text).toMatchObject(given)
      expect(await store('Thing').update([id], given, everything), text).toMatchObject(given)
    }
    for (const meta of [
      [],
      {},
      0,
      false,
      '',
      'x',
      [null],
      { $gt: 1 },
      { fn: 'now', args: [] },
      { val: 'now()' },
    ]) {
      const { id } = await store('Thing').create({ meta })
      expect(await store('Thing').read([id], everything)).toMatchObject({ meta })
      await store('Thing').update([id], { meta: { a: 1 } }, everything)
      expect(await store('Thing').update([id], { meta }, everything)).toMatchObject({ meta })
    }
  })
})
