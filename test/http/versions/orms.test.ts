import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type App, onFastify } from '../../stage/apps.ts'
import { type Answer, type Send, senderTo } from '../../stage/requests.ts'
import { onEachKind, openPlace, type Place } from '../orm-places.ts'
import { countUp } from './counters.ts'
import { ddlOf, ormCards } from './orm-cards.ts'

describe.each(Object.entries(ormCards))('versions that %s raises', (orm, open) => {
  onEachKind(`versions that ${orm} raises`, (kind) => {
    let place: Place
    let app: App
    let send: Send
    let end: () => Promise<unknown>
    beforeAll(async () => {
      place = await openPlace(kind, ddlOf(kind))
      const { models, ...opened } = await open(place)
      end = opened.end
      const Card = { version: 'revision', softDelete: 'deleted_at', bulk: true, write: ['lines'] }
      app = await onFastify({ models, modelConfig: { Card } as never, controllers: [] }, { base: '' })
      send = senderTo(app)
    })
    beforeEach(async () => {
      for (const table of ['card_lines', 'cards']) await place.rows(`delete from ${table}`)
    })
    afterAll(async () => {
      await app?.stop()
      await end?.()
      await place?.drop()
    })

    const make = async (title = '0'): Promise<{ readonly path: string; readonly first: number }> => {
      const { status, json, text } = await send('POST', '/cards/', { body: { title } })
      expect(status, text).toBe(201)
      return { path: `/cards/${json['id']}`, first: Number(json['revision']) }
    }
    const tagOf = ({ headers }: Answer): string | undefined => headers['etag']
    const patch = (path: string, body: object, tag?: string): Promise<Answer> =>
      send('PATCH', path, { body, ...(tag !== undefined && { headers: { 'if-match': tag } }) })

    test('are the tags of records, and guard writes', async () => {
      const { path, first } = await make()
      expect(tagOf(await send('GET', path))).toBe(`"${first}"`)
      const changed = await patch(path, { title: 'a' }, `"${first}"`)
      expect([changed.status, changed.json['revision'], tagOf(changed)]).toEqual([
        ...[200, first + 1, `"${first + 1}"`],
      ])
      const stale = await patch(path, { title: 'b' }, `"${first}"`)
      expect([stale.status, stale.json['code']]).toEqual([412, 'precondition_failed'])
      const headers = { 'if-match': `"${first}"` }
      expect((await send('DELETE', path, { headers })).status).toBe(412)
      expect((await send('PUT', path, { body: { title: 'c' }, headers })).status).toBe(412)
      expect((await patch(path, { revision: 7 })).status).toBe(422)
      const put = await send('PUT', path, { body: { title: 'c' }, headers: { 'if-match': `"${first + 1}"` } })
      expect([put.status, tagOf(put)]).toEqual([200, `"${first + 2}"`])
      expect(tagOf(await send('GET', path))).toBe(`"${first + 2}"`)
    })

    test('are raised once for each of the writes that race', async () => {
      const { path, first } = await make()
      const clients = kind === 'postgres' ? 20 : 5
      const refused = await countUp(send, path, { clients, field: 'title', inJson: String })
      expect(refused).toEqual(['412 precondition_failed'])
      const { json } = await send('GET', path)
      expect([json['title'], json['revision']]).toEqual([String(clients), first + clients])
    })

    test('are raised by changes of related records', async () => {
      const { path, first } = await make()
      const lines = { create: [{ text: 'x' }] }
      const alone = await patch(path, { lines })
      expect([alone.status, alone.json['revision']]).toEqual([200, first + 1])
      const both = await patch(path, { title: '0', lines }, `"${first + 1}"`)
      expect([both.status, both.json['revision']]).toEqual([200, first + 2])
      const other = await patch(path, { title: '1', lines }, `"${first + 2}"`)
      expect([other.status, other.json['revision']]).toEqual([200, first + 3])
      expect((await patch(path, { lines }, `"${first + 2}"`)).status).toBe(412)
      expect(await place.rows('select id from card_lines')).toHaveLength(3)
    })

    test('are raised by bulk writes and soft deletion', async () => {
      const body = [{ title: 'a' }, { title: 'b' }]
      const made: unknown = JSON.parse((await send('POST', '/cards/', { body })).text)
      const [one, other] = made as readonly { readonly id: number; readonly revision: number }[]
      const first = one?.revision ?? Number.NaN
      expect(other?.revision).toBe(first)
      await send('PATCH', '/cards/', { body: [{ id: one?.id, title: 'c' }] })
      expect((await send('PATCH', '/cards/?q=title=c', { body: { title: 'd' } })).json).toMatchObject({
        count: 1,
      })
      expect(tagOf(await send('GET', `/cards/${one?.id}`))).toBe(`"${first + 2}"`)
      const headers = { 'if-match': `"${first + 2}"` }
      expect((await send('DELETE', `/cards/${one?.id}`, { headers })).status).toBe(204)
      expect((await send('DELETE', '/cards/?q=title=b')).json).toMatchObject({ count: 1 })
      expect(await place.rows('select revision from cards where deleted_at is not null order by id')).toEqual(
        [{ revision: first + 3 }, { revision: first + 1 }],
      )
    })
  })
})
