import { EntitySchema, type ObjectLiteral } from 'typeorm'
import { expect, it } from 'vitest'
import { type Condition, everything, type ModelSource, type RecordStore } from '../../../src/entry/source.ts'
import { type Kind, onEachKind } from '../../http/orm-places.ts'
import { placeOf, withTypeorm } from '../open-orms.ts'

/** Columns that compare otherwise than JavaScript. */
const tables: Readonly<Record<Kind, readonly string[]>> = {
  postgres: [
    'create extension if not exists citext',
    'create table thing (id int primary key, code citext, fixed char(6), exact numeric(24, 4), ratio real, big bigint)',
    'create table part (id int primary key, code varchar(20))',
  ],
  mysql: [
    'create table thing (id int primary key, code varchar(20) character set latin1, fixed char(6), exact decimal(24, 4), ratio double, big bigint)',
    'create table part (id int primary key, code varchar(20))',
  ],
  mariadb: [
    'create table thing (id int primary key, code varchar(20) character set latin1, fixed char(6), exact decimal(24, 4), ratio double, big bigint)',
    'create table part (id int primary key, code varchar(20))',
  ],
  sqlite: [
    'create table thing (id integer primary key, code varchar(20) collate nocase, fixed char(6), exact decimal(24, 4), ratio double, big bigint)',
    'create table part (id integer primary key, code varchar(20))',
  ],
}

interface Opened {
  readonly source: ModelSource
  readonly dialect: Kind
  readonly run: (sql: string) => Promise<unknown>
}

/** Through one ORM: the engine writes the conditions of all. */
const opened = async (dialect: Kind): Promise<Opened> => {
  const Thing = new EntitySchema<ObjectLiteral>({
    name: 'Thing',
    columns: {
      id: { type: 'int', primary: true },
      code: { type: dialect === 'postgres' ? 'citext' : 'varchar', nullable: true },
      fixed: { type: dialect === 'sqlite' ? 'character' : 'char', length: 6, nullable: true },
      exact: { type: 'decimal', precision: 24, scale: 4, nullable: true },
      ratio: { type: dialect === 'postgres' ? 'real' : 'double', nullable: true },
      big: { type: 'bigint', nullable: true },
    },
  })
  const Part = new EntitySchema<ObjectLiteral>({
    name: 'Part',
    columns: { id: { type: 'int', primary: true }, code: { type: 'varchar', nullable: true } },
    relations: {
      thing: {
        ...{ type: 'many-to-one', target: 'Thing', createForeignKeyConstraints: false },
        joinColumn: { name: 'code', referencedColumnName: 'code' },
      },
    },
  })
  const place = await placeOf(dialect, ...tables[dialect])
  const { source } = await withTypeorm(place, Thing, Part)
  return { dialect, run: place.rows, source }
}

const storeOf = ({ source }: Opened, name: string): RecordStore => {
  const model = source.models.find((each) => each.name === name)
  return model === undefined ? expect.fail(`No ${name}.`) : source.store(model)
}

const eq = (field: string, value: unknown): Condition => ({ op: 'eq', field, value })

const idsOf = async (store: RecordStore, filter: Condition): Promise<readonly unknown[]> => {
  const order = [{ field: 'id', direction: 'asc' }] as const
  const rows = await store.list({ filter, order, limit: 100, offset: 0, fields: ['id'] }, everything)
  return rows.map(({ id }) => id)
}

onEachKind('columns', (kind) => {
  const open = () => opened(kind)

  it('of strings are compared byte for byte, also between tables', async () => {
    const at = await open()
    const [things, parts] = [storeOf(at, 'Thing'), storeOf(at, 'Part')]
    for (const [id, code] of ['é', 'É', 'e', 'é '].entries()) await things.create({ id, code, fixed: 'aB' })
    for (const [id, code] of ['é', 'E', 'x'].entries()) await parts.create({ id, code })
    expect(await idsOf(things, eq('code', 'é'))).toEqual([0])
    expect(await idsOf(things, { op: 'ne', field: 'code', value: 'é' })).toEqual([1, 2, 3])
    expect(await idsOf(things, { op: 'in', field: 'code', values: ['É', 'E'] })).toEqual([1])
    expect(await idsOf(things, eq('fixed', 'ab'))).toEqual([])
    expect(await things.update([0], { big: '1' }, eq('code', 'É'))).toBeUndefined()
    expect(await things.remove([0], eq('code', 'E'))).toBe(false)
    expect(await idsOf(parts, { op: 'related', relation: 'thing', condition: everything })).toEqual([0])
    const groups = await things.aggregate?.(
      {
        ...{ filter: everything, groups: [{ field: 'code' }], limit: 9, timezone: 'UTC' },
        ...{ aggregates: [{ fn: 'count' }], order: [{ column: 'count', direction: 'asc' }] },
      },
      everything,
    )
    expect(groups?.map(({ code }) => code).toSorted()).toEqual(['e', 'é', 'é ', 'É'].toSorted())
  })

  it('of strings are grouped byte for byte, with the spaces at their ends', async () => {
    const things = storeOf(await open(), 'Thing')
    for (const [id, code] of ['ann', 'Ann', 'ANN'].entries()) await things.create({ id, code, fixed: code })
    for (const field of ['code', 'fixed']) {
      const aggregation = {
        ...{ filter: everything, groups: [{ field }], limit: 9, order: [], timezone: 'UTC' },
        aggregates: [{ fn: 'count' }] as const,
      }
      expect(await things.aggregate?.(aggregation, everything)).toHaveLength(3)
    }
    expect(await things.count({ op: 'in', field: 'code', values: ['ANN', 'x'] }, everything)).toBe(1)
    expect(await things.count({ op: 'ne', field: 'code', value: 'ann' }, everything)).toBe(2)
    const fixed = (await things.read([1], everything))?.['fixed']
    expect(await things.update([1], { big: '6' }, eq('fixed', fixed))).toMatchObject({ big: '6' })
    expect(await things.update([1], { big: '7' }, eq('fixed', `${fixed}  `))).toBeUndefined()
  })

  it('are searched for each form of a sigma', async () => {
    const at = await open()
    if (at.dialect === 'sqlite') return
    const things = storeOf(at, 'Thing')
    for (const [id, fixed] of ['ΟΔΟΣ', 'οδος', 'οδοσ', 'οδο'].entries()) await things.create({ id, fixed })
    for (const value of ['ΔΟΣ', 'δος', 'δοσ', 'Σ', 'ς'])
      expect(await idsOf(things, { op: 'contains', field: 'fixed', value }), value).toEqual([0, 1, 2])
  })

  it('of numbers are compared with all digits', async () => {
    const at = await open()
    const things = storeOf(at, 'Thing')
    const exact = at.dialect === 'sqlite' ? 1.25 : '12345678901234567890.1234'
    const near = at.dialect === 'sqlite' ? 1.26 : '12345678901234567890.1235'
    await things.create({ id: 1, exact, big: '9007199254740993', ratio: 0.1 })
    await things.create({ id: 2, exact: near, big: '9007199254740992', ratio: 0.2 })
    for (const [field, value, greater] of [
      ['exact', exact, [2]],
      ['big', '9007199254740993', []],
      ['ratio', 0.1, [2]],
    ] as const) {
      expect(await idsOf(things, eq(field, value))).toEqual([1])
      expect(await idsOf(things, { op: 'in', field, values: [value] })).toEqual([1])
      expect(await idsOf(things, { op: 'gt', field, value })).toEqual(greater)
      expect(await things.update([2], { fixed: 'x' }, eq(field, value))).toBeUndefined()
    }
    expect(await things.read([1], everything)).toMatchObject({ exact, big: '9007199254740993' })
    expect(await idsOf(things, eq('ratio', 1e300))).toEqual([])
  })

  it('are sorted by sums with all digits', async () => {
    const at = await open()
    const things = storeOf(at, 'Thing')
    const most = 2n ** 63n - 1n
    for (const [id, [fixed, big]] of [
      ['b', most],
      ['b', 2n],
      ['a', most],
      ['a', 3n],
      ['c', -most],
      ['c', -5n],
    ].entries())
      await things.create({ id, fixed, big: String(big) })
    const rows = await things.aggregate?.(
      {
        ...{ filter: everything, groups: [{ field: 'fixed' }], limit: 9, timezone: 'UTC' },
        aggregates: [{ fn: 'sum', field: 'big' }],
        order: [{ column: 'sum_big', direction: 'asc' }],
      },
      everything,
    )
    expect(rows?.map((row) => row['sum_big'])).toEqual([-most - 5n, most + 2n, most + 3n])
  })

  it('with a decimal that is not a number have no sum or average', async () => {
    const at = await open()
    if (at.dialect !== 'postgres') return
    const things = storeOf(at, 'Thing')
    await at.run("insert into thing (id, exact) values (1, 'NaN'), (2, 1)")
    for (const fn of ['sum', 'avg'] as const) {
      const aggregates = [{ fn, field: 'exact' }]
      const aggregation = { filter: everything, groups: [], aggregates, order: [], limit: 1, timezone: 'UTC' }
      const error = await Promise.resolve(things.aggregate?.(aggregation, everything)).catch(
        (thrown: unknown) => thrown,
      )
      expect(error).toMatchObject({ kind: 'unrepresentable', fields: ['exact'] })
    }
  })

  it('that hold what their kind cannot be, name the field and not the value', async () => {
    const at = await open()
    if (at.dialect !== 'sqlite') return
    const things = storeOf(at, 'Thing')
    for (const [id, [column, stored]] of [
      ['big', '1.5'],
      ['exact', "'secret'"],
      ['ratio', "'secret'"],
    ].entries()) {
      await at.run(`insert into thing (id, ${column}) values (${id}, ${stored})`)
      const error = await Promise.resolve(things.read([id], everything)).catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ kind: 'unrepresentable', fields: [column] })
    }
  })
})
