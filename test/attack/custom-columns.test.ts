import { int, mysqlTable, customType as mysqlType, varchar } from 'drizzle-orm/mysql-core'
import { integer, pgTable, customType as pgType } from 'drizzle-orm/pg-core'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { controllerFor } from '../../src/entry/fetch.ts'
import type { ModelRestOptions } from '../../src/index.ts'
import { onMysqlKind, onPglite, type Serving } from '../http/custom-columns/stage.ts'
import { onMariaDb } from '../servers/test-mysql.ts'

const hooked = (place: object) =>
  controllerFor('Member', {
    beforeUpdate: (_request: unknown, _record: unknown, payload: object) => ({ ...payload, place }),
  } as never)

/** Some drivers of MySQL build an object into the statement, as columns and their values. */
onMariaDb('objects for columns of unknown types', () =>
  describe('objects for columns of unknown types', () => {
    let service: Serving
    afterEach(() => service.stop())

    const start = async (type: object, options: Partial<ModelRestOptions> = {}) => {
      const members = mysqlTable('members', {
        id: int().primaryKey().autoincrement(),
        place: mysqlType(type as never)(),
        role: varchar({ length: 20 }),
        password: varchar({ length: 20 }),
      })
      service = await onMysqlKind('mariadb')({
        create: `create table members (id int primary key auto_increment, place varchar(100), role varchar(20),
        password varchar(20)); insert into members values (1, 'a', 'member', 'secret')`,
        tables: { members },
        options: {
          modelConfig: { Member: { readOnly: ['role'], hidden: ['password'] } } as never,
          ...options,
        },
      })
      return service
    }

    const untouched = async () => {
      const { statements, query } = service
      expect(statements.filter(({ text }) => /^(update|insert)/.test(text))).toEqual([])
      expect(statements.flatMap(({ values }) => values).filter((value) => Object(value) === value)).toEqual(
        [],
      )
      expect(await query('select * from members')).toMatchObject([
        { place: 'a', role: 'member', password: 'secret' },
      ])
    }

    const attacks: readonly object[] = [
      { name: 'x', role: 'admin', password: 'stolen' },
      { password: 'guess' },
      [['x', 'y']],
      { toString: 'x', toSqlString: 'y' },
    ]

    it.each([
      ['a set', { dataType: (): string => "set('a','b')" }],
      ['a text', { dataType: (): string => 'varchar(100)' }],
      [
        'a text with a mapper',
        { dataType: (): string => 'varchar(100)', toDriver: (value: unknown) => value },
      ],
      [
        'a mapper that only reads',
        { dataType: (): string => 'varchar(100)', fromDriver: (text: unknown) => `~${text}` },
      ],
    ])('never reach the driver: %s', async (_name, type) => {
      const { send } = await start(type)
      for (const place of attacks) {
        const refused = await send('PATCH', '/members/1', { place })
        expect([refused.status, refused.json['errors']]).toMatchObject([
          422,
          [{ pointer: '/place', code: 'wrong_type' }],
        ])
        expect((await send('POST', '/members/', { place })).status).toBe(422)
        const q = encodeURIComponent(`place=${JSON.stringify(place)}`)
        expect((await send('GET', `/members/?q=${q}`)).status).toBeLessThan(500)
      }
      await untouched()
    })

    it.each([
      ['a mapper makes them', { toDriver: (value: unknown) => ({ value }) }, {}],
      ['a hook gives them', {}, { controllers: [hooked({ role: 'admin' })] }],
      [
        'a schema of the application lets them through',
        {},
        { customSchemas: { Member: { update: z.object({ place: z.any() }) } } },
      ],
    ])('are refused where %s', async (_name, mappers, options) => {
      const { send } = await start({ dataType: () => "set('a','b')", ...mappers }, options as never)
      const place = 'customSchemas' in options ? attacks[0] : 'a'
      const refused = await send('PATCH', '/members/1', { place })
      expect([refused.status, refused.json['errors']]).toMatchObject([
        422,
        [{ pointer: '/place', code: 'wrong_type' }],
      ])
      await untouched()
    })
  }),
)

describe('values of types that only PostgreSQL knows', () => {
  const types = ['tsvector', 'money', 'int4range', 'point', 'xid', 'bit(3)']
  const values: readonly unknown[] = [
    { toString: 'x' },
    { toPostgres: 'x' },
    [1],
    'x',
    '[1,2',
    '\u0000',
    '\ud800',
    '1e400',
    1e300,
    true,
    '',
    'infinity',
  ]

  it('are never an error of the server', async () => {
    const list = types.map((type, at) => `c${at} ${type}`).join(', ')
    const columns = Object.fromEntries(
      types.map((type, at) => [`c${at}`, pgType({ dataType: () => type })()]),
    )
    const things = pgTable('things', {
      id: integer().primaryKey().generatedByDefaultAsIdentity(),
      ...columns,
    })
    const { send, stop } = await onPglite({
      create: `create table things (id integer primary key generated by default as identity, ${list})`,
      tables: { things },
    })
    for (const [at, type] of types.entries()) {
      for (const value of values) {
        const { status } = await send('POST', '/things/', { [`c${at}`]: value })
        expect([type, value, status < 500]).toEqual([type, value, true])
        const q = encodeURIComponent(`c${at}=${JSON.stringify(value)}`)
        expect((await send('GET', `/things/?q=${q}&sort=c${at}`)).status).toBe(400)
      }
    }
    expect((await send('GET', '/things/?limit=1000')).status).toBe(200)
    await stop()
  }, 60_000)
})
