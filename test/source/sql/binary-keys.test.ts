import { defineEntity, p, Type } from '@mikro-orm/core'
import { EntitySchema } from 'typeorm'
import { expect, it, onTestFinished } from 'vitest'
import type { ModelSource } from '../../../src/index.ts'
import { type Kind, onEachKind, type Place } from '../../http/orm-places.ts'
import { onFastify } from '../../stage/apps.ts'
import { senderTo } from '../../stage/requests.ts'
import { placeOf, withMikroOrm, withTypeorm } from '../open-orms.ts'

const columnOf = (dialect: Kind, length: number): string => {
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

type Open = (place: Place) => Promise<ModelSource>

const byMikroOrm: Open = async (place) => {
  const { kind: dialect } = place
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
  const { source, orm } = await withMikroOrm(place, [Thing, Part])
  await orm.schema.create()
  return source
}

const byTypeorm: Open = async (place) => {
  const { kind: dialect } = place
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
  const { source, dataSource } = await withTypeorm(place, ...entities)
  await dataSource.synchronize()
  return source
}

onEachKind('binary keys', (kind) => {
  it.each([
    ['MikroORM', byMikroOrm],
    ['TypeORM', byTypeorm],
  ])(`binary keys that %s shows as text are found by it, on ${kind}`, async (_, open) => {
    const app = await onFastify({ models: await open(await placeOf(kind)) }, { base: '' })
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
})

it('keys that a type of MikroORM refuses are none', async () => {
  const app = await onFastify({ models: await byMikroOrm(await placeOf('sqlite')) }, { base: '' })
  onTestFinished(app.stop)
  const send = senderTo(app)
  expect((await send('POST', '/parts/', { body: { id: 'x80ff0a27' } })).status).toBe(201)
  const refused = await send('POST', '/parts/', { body: { id: 'y' } })
  expect([refused.status, refused.json['errors']]).toMatchObject([422, [{ pointer: '/id' }]])
  for (const method of ['GET', 'DELETE'] as const) expect((await send(method, '/parts/y')).status).toBe(404)
  expect((await send('GET', '/parts/?q=id=y')).json['items']).toEqual([])
  expect((await send('GET', '/parts/?q=id!=y')).json['items']).toHaveLength(1)
})
