import { defineEntity, type MikroORM, p, Type } from '@mikro-orm/core'
import { MikroORM as MikroMariaDb } from '@mikro-orm/mariadb'
import { MikroORM as MikroMysql } from '@mikro-orm/mysql'
import { MikroORM as MikroPostgres } from '@mikro-orm/postgresql'
import { MikroORM as MikroSqlite } from '@mikro-orm/sqlite'
import { DataSource, type DataSourceOptions, EntitySchema } from 'typeorm'
import { expect, it, onTestFinished } from 'vitest'
import { mikroOrmModels } from '../../../src/entry/mikro-orm.ts'
import { typeormModels } from '../../../src/entry/typeorm.ts'
import type { ModelSource } from '../../../src/index.ts'
import { createDatabase, onPostgres } from '../../servers/test-database.ts'
import { createMysqlDatabase, onEachMysql } from '../../servers/test-mysql.ts'
import { onFastify } from '../../stage/apps.ts'
import { senderTo } from '../../stage/requests.ts'

type Dialect = 'postgres' | 'mysql' | 'mariadb' | 'sqlite'

const columnOf = (dialect: Dialect, length: number): string => {
  if (dialect === 'postgres') return 'bytea'
  return dialect === 'sqlite' ? `blob(${length})` : `binary(${length})`
}

const bytesOf = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex')
const uuidOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

const codeOf = (bytes: Uint8Array): string => `x${Buffer.from(bytes).toString('hex')}`
const bytesOfCode = (code: string): Buffer => {
  if (/^x[\da-f]{8}$/.test(code)) return Buffer.from(code.slice(1), 'hex')
  throw new Error(`No code: ${code}`)
}

type Open = (dialect: Dialect, url: string) => Promise<ModelSource>

const withMikroOrm: Open = async (dialect, url) => {
  class Uuid extends Type<string, Uint8Array> {
    override convertToDatabaseValue = bytesOf
    override convertToJSValue = uuidOf
    override getColumnType = () => columnOf(dialect, 16)
  }
  class Code extends Type<string, Uint8Array> {
    override convertToDatabaseValue = bytesOfCode
    override convertToJSValue = codeOf
    override getColumnType = () => columnOf(dialect, 4)
  }
  const Thing = defineEntity({
    name: 'Thing',
    properties: { id: p.type(Uuid).primary(), name: p.string() },
  })
  const Part = defineEntity({
    name: 'Part',
    properties: { id: p.type(Code).primary(), thing: () => p.manyToOne(Thing).nullable() },
  })
  const own = dialect === 'sqlite' ? { dbName: ':memory:' } : { clientUrl: url, pool: { max: 2 } }
  const drivers = { postgres: MikroPostgres, mysql: MikroMysql, mariadb: MikroMariaDb, sqlite: MikroSqlite }
  const orm = (await drivers[dialect].init({
    entities: [Thing, Part],
    ...own,
  } as never)) as unknown as MikroORM
  onTestFinished(() => orm.close(true))
  await orm.schema.create()
  return mikroOrmModels(orm)
}

const withTypeorm: Open = async (dialect, url) => {
  const column = (length: number) =>
    dialect === 'postgres' || dialect === 'sqlite'
      ? { type: dialect === 'sqlite' ? 'blob' : 'bytea' }
      : { type: 'binary', length }
  const through = <T>(to: (value: string) => T, from: (value: Uint8Array) => string) => ({
    transformer: {
      to: (value: unknown) => (typeof value === 'string' ? to(value) : value),
      from: (value: unknown) => (value instanceof Uint8Array ? from(value) : value),
    },
  })
  const uuid = { ...column(16), ...through(bytesOf, uuidOf) }
  const entities = [
    new EntitySchema({
      name: 'Thing',
      columns: { id: { ...uuid, primary: true }, name: { type: 'varchar' } },
    } as never),
    new EntitySchema({
      name: 'Part',
      columns: {
        id: { ...column(4), ...through(bytesOfCode, codeOf), primary: true },
        thingId: { ...uuid, nullable: true },
      },
      relations: { thing: { type: 'many-to-one', target: 'Thing', joinColumn: { name: 'thingId' } } },
    } as never),
  ]
  const own =
    dialect === 'sqlite'
      ? { type: 'better-sqlite3', database: ':memory:' }
      : { type: dialect === 'mysql' ? 'mysql' : dialect, url }
  const source = await new DataSource({
    ...own,
    entities,
    synchronize: true,
  } as DataSourceOptions).initialize()
  onTestFinished(() => source.destroy())
  return typeormModels(source)
}

const define = (dialect: Dialect, connect: () => Promise<string>): void => {
  it.each([
    ['MikroORM', withMikroOrm],
    ['TypeORM', withTypeorm],
  ])(`binary keys that %s shows as text are found by it, on ${dialect}`, async (_, open) => {
    const app = await onFastify({ models: await open(dialect, await connect()) }, { base: '' })
    onTestFinished(app.stop)
    const send = senderTo(app)
    const [id, other] = ['7f1d3cbb-40d1-4c9f-8f0a-0e1f3a2b4c5d', '80ff3cbb-40d1-4c9f-8f0a-0e1f3a2b4c5d']
    for (const key of [id, other])
      expect((await send('POST', '/things/', { body: { id: key, name: 'a' } })).json).toMatchObject({
        id: key,
      })
    expect((await send('GET', `/things/${id.toUpperCase()}`)).json).toEqual({ id, name: 'a' })
    expect((await send('PATCH', `/things/${id}`, { body: { name: 'b' } })).json).toEqual({ id, name: 'b' })
    expect((await send('GET', '/things/none')).status).toBe(404)
    const part = { id: 'x80ff0a27', thingId: id }
    expect((await send('POST', '/parts/', { body: part })).json).toEqual(part)
    expect((await send('GET', '/parts/x80ff0a27?include=thing')).json['thing']).toEqual({ id, name: 'b' })
    expect((await send('GET', `/parts/?q=thingId=${id}`)).json['items']).toEqual([part])
    expect((await send('GET', `/parts/?q=thingId=${other}`)).json['items']).toEqual([])
    const lost = await send('POST', '/parts/', { body: { id: 'x00000001', thingId: id.replace('7', '6') } })
    expect([lost.status, lost.json['errors']]).toMatchObject([422, [{ pointer: '/thingId' }]])
    expect((await send('DELETE', `/things/${other}`)).status).toBe(204)
  })
}

define('sqlite', async () => '')

it('keys that a type of MikroORM refuses are none', async () => {
  const app = await onFastify({ models: await withMikroOrm('sqlite', '') }, { base: '' })
  onTestFinished(app.stop)
  const send = senderTo(app)
  expect((await send('POST', '/parts/', { body: { id: 'x80ff0a27' } })).status).toBe(201)
  const refused = await send('POST', '/parts/', { body: { id: 'y' } })
  expect([refused.status, refused.json['errors']]).toMatchObject([422, [{ pointer: '/id' }]])
  for (const method of ['GET', 'DELETE'] as const) expect((await send(method, '/parts/y')).status).toBe(404)
  expect((await send('GET', '/parts/?q=id=y')).json['items']).toEqual([])
  expect((await send('GET', '/parts/?q=id!=y')).json['items']).toHaveLength(1)
})

onPostgres('binary keys on PostgreSQL', () =>
  define('postgres', async () => {
    const { url, drop } = await createDatabase('binary')
    onTestFinished(drop)
    return url
  }),
)
onEachMysql('binary keys', (kind) =>
  define(kind, async () => {
    const { url, drop } = await createMysqlDatabase('binary', { kind })
    onTestFinished(drop)
    return url
  }),
)
