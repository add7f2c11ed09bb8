import { defineEntity, type EventSubscriber, p } from '@mikro-orm/core'
import { expect, it, onTestFinished } from 'vitest'
import { mikroOrmModels } from '../../../src/entry/mikro-orm.ts'
import { StartError } from '../../../src/entry/source.ts'
import { onFastify } from '../../stage/apps.ts'
import { senderTo } from '../../stage/requests.ts'
import { onEachDatabase, openSqlite } from './databases.ts'

const Thing = defineEntity({
  name: 'Thing',
  properties: {
    ...{ id: p.integer().primary(), name: p.string(), revision: p.integer().version() },
  },
})

const subscriber: EventSubscriber = { beforeUpdate: async () => undefined }

onEachDatabase("versions that are MikroORM's own", (open) => {
  it('are ETags, raised once by each flush', async () => {
    const models = mikroOrmModels(await open({ entities: [Thing], subscribers: [subscriber] }))
    const modelConfig = { Thing: { version: 'revision', requireIfMatch: true, bulk: true } } as never
    const app = await onFastify({ models, modelConfig }, { base: '' })
    onTestFinished(app.stop)
    const send = senderTo(app)
    const patch = (body: object, tag: string) =>
      send('PATCH', '/things/1', { body, headers: { 'if-match': tag } })

    const made = await send('POST', '/things/', { body: { name: 'a' } })
    expect([made.status, made.json['revision'], made.headers['etag']]).toEqual([201, 1, '"1"'])
    const changed = await patch({ name: 'b' }, '"1"')
    expect([changed.status, changed.json['revision'], changed.headers['etag']]).toEqual([200, 2, '"2"'])
    const late = await patch({ name: 'c' }, '"1"')
    expect([late.status, late.json['code']]).toEqual([412, 'precondition_failed'])
    expect((await send('PATCH', '/things/1', { body: { name: 'c' } })).status).toBe(428)
    expect((await patch({ revision: 9 }, '"2"')).status).toBe(422)
    const put = { body: { name: 'd' }, headers: { 'if-match': '"2"' } }
    expect((await send('PUT', '/things/1', put)).headers['etag']).toBe('"3"')
    expect((await send('PUT', '/things/1', put)).status).toBe(412)

    const raced = await Promise.all(['x', 'y', 'z'].map((name) => patch({ name }, '"3"')))
    expect(raced.map(({ status }) => status).sort()).toEqual([200, 412, 412])
    const read = await send('GET', '/things/1')
    expect([read.json['revision'], read.headers['etag']]).toEqual([4, '"4"'])
    const headers = { 'if-none-match': '"4"' }
    expect((await send('GET', '/things/1', { headers })).status).toBe(304)
    const removing = (tag: string) => send('DELETE', '/things/1', { headers: { 'if-match': tag } })
    expect([(await removing('"3"')).status, (await removing('"4"')).status]).toEqual([412, 204])
  })

  it('are raised by each of many flushes at the same time', async () => {
    const models = mikroOrmModels(await open({ entities: [Thing], subscribers: [subscriber] }))
    const modelConfig = { Thing: { version: 'revision', bulk: true } } as never
    const app = await onFastify({ models, modelConfig }, { base: '' })
    onTestFinished(app.stop)
    const send = senderTo(app)
    const all = ['a', 'b', 'c'].map((name) => ({ name }))
    expect((await send('POST', '/things/', { body: all })).status).toBe(201)
    const written = await Promise.all(
      Array.from({ length: 20 }, (_, at) => send('PATCH', '/things/2', { body: { name: `${at}` } })),
    )
    expect(new Set(written.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(written.map(({ headers }) => headers['etag'])).size).toBe(20)
    expect((await send('GET', '/things/2')).headers['etag']).toBe('"21"')
    const both = [1, 3].map((id) => ({ id, name: 'x' }))
    expect((await send('PATCH', '/things/', { body: both })).status).toBe(200)
    expect((await send('GET', '/things/3')).headers['etag']).toBe('"2"')
    expect((await send('PATCH', '/things/3', { body: { name: 'x' } })).headers['etag']).toBe('"3"')
  })
})

it('a time as version, which two writes may share, is refused at start', async () => {
  const Timed = defineEntity({
    name: 'Timed',
    properties: { id: p.integer().primary(), changed: p.datetime(3).version() },
  })
  const models = mikroOrmModels(await openSqlite({ entities: [Timed] }))
  const start = onFastify({ models, modelConfig: { Timed: { version: 'changed' } } as never }, { base: '' })
  await expect(start).rejects.toBeInstanceOf(StartError)
})
