import fc from 'fast-check'
import { DataTypes, type Model, type ModelAttributes } from 'sequelize'
import { expect, it } from 'vitest'
import { type Condition, everything, type Row } from '../../../src/entry/source.ts'
import { requestsTo } from '../facts.ts'
import { converted, expectKept } from '../kept.ts'
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

  it('of getters and setters can be sent back, which changes nothing, or are refused', async () => {
    const { source, sequelize } = await openModels(await open(), (created) => {
      const through = (name: string, get: (stored: never) => unknown, set: (value: never) => unknown) => ({
        get(this: Model) {
          const stored: unknown = this.getDataValue(name as never)
          return stored == null ? stored : get(stored as never)
        },
        set(this: Model, value: unknown) {
          this.setDataValue(name as never, (value == null ? value : set(value as never)) as never)
        },
      })
      created.define(
        'Draft',
        {
          tags: {
            type: DataTypes.TEXT,
            ...through('tags', JSON.parse, (value) => JSON.stringify(value)),
          },
          list: {
            type: DataTypes.TEXT,
            ...through(
              'list',
              (text: string) => text.split('|'),
              (list: string[]) => list.join('|'),
            ),
          },
          point: {
            type: DataTypes.TEXT,
            ...through(
              'point',
              (text: string) => ({ x: Number(text.split(' ')[0]), y: Number(text.split(' ')[1]) }),
              ({ x, y }: { x: number; y: number }) => `${x} ${y}`,
            ),
          },
          // Sequelize parses and writes it.
          meta: {
            type: DataTypes.JSON,
            get(this: Model) {
              return this.getDataValue('meta' as never) ?? null
            },
          },
          price: {
            type: DataTypes.DECIMAL(10, 2),
            get(this: Model) {
              const stored: unknown = this.getDataValue('price' as never)
              return stored == null ? stored : Number(stored)
            },
          },
        },
        { timestamps: false },
      )
    })
    await expectKept(source, { values: { 'Draft.list': converted.list, 'Draft.point': converted.point } })
    const send = await requestsTo(source)
    const draft = { tags: ['a', { b: 1 }], list: ['a', 'b'], point: { x: 1, y: 2 }, meta: { a: [null] } }
    expect(await send('POST', '/drafts/', draft)).toMatchObject({ status: 201, json: draft })
    for (const refused of [{ list: ['a|b'] }, { point: { x: 1, y: 2, z: 3 } }])
      expect((await send('POST', '/drafts/', refused)).status).toBe(422)
    const made = await sequelize.models['Draft']?.create({ tags: [[1, 2]] })
    expect((await send('GET', `/drafts/${made?.get('id')}`)).json).toMatchObject({ tags: [[1, 2]] })
  })

  it('that Sequelize parses can be sent back, and others are refused', async () => {
    const options = await open()
    if (options.dialect === 'sqlite') return
    const isPg = options.dialect === 'postgres'
    const attributes: ModelAttributes = isPg
      ? {
          numbers: DataTypes.RANGE(DataTypes.INTEGER),
          large: DataTypes.RANGE(DataTypes.BIGINT),
          prices: DataTypes.RANGE(DataTypes.DECIMAL),
          times: DataTypes.RANGE(DataTypes.DATE),
          days: DataTypes.RANGE(DataTypes.DATEONLY),
        }
      : { place: DataTypes.GEOMETRY('POINT'), shape: DataTypes.GEOMETRY }
    const { source, sequelize } = await openModels(options, (created) =>
      created.define('Booking', attributes, { timestamps: false }),
    )
    const Booking = sequelize.models['Booking']
    const line = {
      type: 'LineString',
      coordinates: [
        [1, 2],
        [3, 4.5],
      ],
    }
    const stored = isPg
      ? [
          {
            ...{ numbers: [1, 5], large: [1, '9007199254740993'], prices: ['1.50', null] },
            ...{ times: [new Date(0), new Date(86_400_001)], days: ['2026-01-01', '2026-02-01'] },
          },
          { numbers: [], large: [null, 5], times: [null, new Date(0)], days: [] },
        ]
      : [{ place: { type: 'Point', coordinates: [1.5, -2] }, shape: line }]
    for (const values of stored) await Booking?.create(values)
    const field = isPg ? 'numbers' : 'place'
    const any = fc.oneof(fc.jsonValue(), fc.array(fc.jsonValue(), { minLength: 2, maxLength: 2 }))
    const valid = isPg
      ? fc
          .record({ value: fc.option(fc.nat(9)), inclusive: fc.boolean() })
          .map((bound) => [bound, { value: 10 }])
      : fc.record({ type: fc.constant('Point'), coordinates: fc.tuple(fc.integer(), fc.integer()) })
    await expectKept(source, {
      values: Object.fromEntries(
        (source.models[0]?.fields ?? []).map(({ name }) => [
          `Booking.${name}`,
          name === field ? valid : fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, any),
        ]),
      ),
    })
    const send = await requestsTo(source)
    for (const { id, ...shown } of (await send('GET', '/bookings/')).json['items'] as readonly Row[]) {
      const made = await send('POST', '/bookings/', shown)
      expect(made, `${id} ${made.text}`).toMatchObject({ status: 201, json: shown })
    }
    const wrong = { value: 5, inclusive: 1 }
    for (const value of [
      ...['[1,5)', 'POINT(1 2)', 5, true, {}, [1], [5, 1], ['x', 1], [wrong, null], [[1], 2], [`1'`, null]],
      ...[
        line,
        { type: 'Point', coordinates: ['x', 2] },
        { type: 'Point', coordinates: [] },
        { type: 'toString' },
      ],
    ])
      expect((await send('POST', '/bookings/', { [field]: value })).status, JSON.stringify(value)).toBe(422)
    const unclosed = { type: 'Polygon', coordinates: [[...line.coordinates, [5, 6]]] }
    if (!isPg) expect((await send('POST', '/bookings/', { shape: unclosed })).status).toBe(422)
  })

  it('have the limits of validators in the document, and what those say in the refusal', async () => {
    const { source } = await openModels(await open(), (created) =>
      created.define(
        'Ticket',
        {
          name: { type: DataTypes.STRING(50), validate: { len: [3, 8] } },
          code: { type: DataTypes.STRING(50), validate: { is: { args: /^[A-Z]+$/, msg: 'Use capitals.' } } },
          from: DataTypes.INTEGER,
          to: {
            type: DataTypes.INTEGER,
            validate: {
              isEven(value: number) {
                if (value % 2 === 1) throw new Error('Give an even number.')
              },
              isAsked(value: number) {
                if (value === 4) throw Object.assign(new Error('s3cret'), { sql: 'select s3cret' })
                if (value === 6) throw new TypeError('s3cret')
              },
            },
          },
        },
        {
          timestamps: false,
          validate: {
            isRange(this: Model) {
              if (Number(this.get('from')) > Number(this.get('to'))) throw new Error('Give a range.')
            },
          },
        },
      ),
    )
    const send = await requestsTo(source, {}, { onlyModels: false })
    const { json } = await send('GET', '/openapi.json')
    const schemas = Object(json['components']).schemas
    for (const name of ['TicketCreate', 'TicketUpdate', 'TicketReplace'])
      expect(schemas[name].properties.name, name).toMatchObject({ minLength: 3, maxLength: 8 })
    // Stored values may be shorter.
    expect(schemas.TicketDetail.properties.name).not.toHaveProperty('minLength')
    for (const [body, expected] of [
      [{ name: 'ab' }, { pointer: '/name', code: 'too_short' }],
      [{ name: '🚀🚀' }, { pointer: '/name', code: 'too_short' }],
      [{ code: 'a' }, { pointer: '/code', code: 'constraint', detail: 'Use capitals.' }],
      [{ to: 3 }, { pointer: '/to', code: 'constraint', detail: 'Give an even number.' }],
      [{ to: 4 }, { pointer: '/to', code: 'constraint' }],
      [{ to: 6 }, { pointer: '/to', code: 'constraint' }],
    ] as const) {
      const refused = await send('POST', '/tickets/', body)
      expect([refused.status, refused.json['errors']], JSON.stringify(body)).toMatchObject([422, [expected]])
      expect(refused.text).not.toContain('s3cret')
    }
    expect(await send('POST', '/tickets/', { from: 9, to: 2 })).toMatchObject({
      ...{ status: 422, json: { code: 'invalid_body', detail: 'Give a range.' } },
    })
    expect((await send('POST', '/tickets/', { name: '🚀🚀🚀', code: 'A', from: 1, to: 2 })).status).toBe(201)
  })

  it('that a setter stores so that the getter fails are refused', async () => {
    const { source } = await openModels(await open(), (created) =>
      created.define(
        'Draft',
        {
          authors: {
            type: DataTypes.TEXT,
            get(this: Model) {
              const text: unknown = this.getDataValue('authors' as never)
              return text == null ? [] : JSON.parse(String(text))
            },
            set(this: Model, value: unknown) {
              this.setDataValue('authors' as never, (value && JSON.stringify(value)) as never)
            },
          },
        },
        { timestamps: false },
      ),
    )
    const send = await requestsTo(source)
    expect((await send('POST', '/drafts/', { authors: [] })).json).toMatchObject({ authors: [] })
    expect((await send('PATCH', '/drafts/1', { authors: '' })).status).toBe(422)
    expect((await send('GET', '/drafts/')).json).toMatchObject({ items: [{ authors: [] }] })
  })
})
