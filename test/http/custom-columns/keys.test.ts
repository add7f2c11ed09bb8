import { afterAll, beforeAll, expect, it } from 'vitest'
import { controllerFor } from '../../../src/entry/fetch.ts'
import { onEachDialect } from './dialects.ts'
import { prefixed } from './mapped.ts'
import type { Serving } from './stage.ts'

const idOf = (digit: number): string => `user_${String(digit).repeat(32)}`

/** Keys as a library of ids makes them: prefixed to the application, UUIDs to the database. */
onEachDialect('keys of a custom type', (dialect) => {
  let service: Serving
  const list = async (path: string) => {
    const { status, json } = await service.send('GET', path)
    expect(status, JSON.stringify(json)).toBe(200)
    return json as { items: Record<string, unknown>[]; next?: string; count?: number }
  }

  beforeAll(async () => {
    const key = { type: dialect.uuid, ...prefixed, also: 'not null' }
    const tables = {
      users: { id: { ...key, isKey: true }, name: { type: 'varchar(20)' } },
      posts: {
        owner: {
          ...key,
          refersTo: 'users',
        },
        title: { type: 'varchar(20)' },
      },
      notes: { owner: key },
    }
    const kind = { kind: 'text', example: idOf(3) }
    service = await dialect.serve(
      tables,
      { users: { id: kind }, posts: { owner: kind }, notes: { owner: kind } },
      {
        paginationType: 'cursor',
        controllers: [controllerFor('Note', { scope: () => ({ owner: idOf(2) }) } as never)],
      },
    )
    for (const digit of [3, 1, 2])
      expect((await service.send('POST', '/users/', { id: idOf(digit), name: `n${digit}` })).status).toBe(201)
  }, 60_000)
  afterAll(() => service?.stop())

  it('find, change and remove a record, and none by what is not a key', async () => {
    expect(await service.send('GET', `/users/${idOf(1)}`)).toMatchObject({
      status: 200,
      json: { name: 'n1' },
    })
    expect(await service.send('PATCH', `/users/${idOf(1)}`, { name: 'new' })).toMatchObject({ status: 200 })
    for (const key of ['nonsense', idOf(9), '3f2504e0-4f89-41d3-9a0c-0305e82c3301']) {
      expect((await service.send('GET', `/users/${key}`)).status).toBe(404)
      expect((await service.send('PATCH', `/users/${key}`, { name: 'x' })).status).toBe(404)
      expect((await service.send('DELETE', `/users/${key}`)).status).toBe(404)
    }
    expect((await service.send('POST', '/users/', { id: idOf(1) })).status).toBe(409)
    expect((await service.send('POST', '/users/', { id: 'nonsense' })).status).toBe(422)
  })

  it('are paged through by cursors', async () => {
    const seen: unknown[] = []
    let path = '/users/?limit=1'
    for (let pages = 0; pages < 4; pages += 1) {
      const { items, next } = await list(path)
      seen.push(...items.map(({ id }) => id))
      if (typeof next !== 'string') break
      path = `/users/?limit=1&cursor=${next}`
    }
    expect(seen).toEqual([idOf(1), idOf(2), idOf(3)])
  })

  it('refer to records that are there', async () => {
    expect((await service.send('POST', '/posts/', { owner: idOf(1), title: 'a' })).status).toBe(201)
    const missing = await service.send('POST', '/posts/', { owner: idOf(9), title: 'a' })
    expect([missing.status, missing.json['errors']]).toMatchObject([
      422,
      [{ pointer: '/owner', code: 'missing_reference' }],
    ])
    expect(await list(`/posts/?q=owner=${idOf(1)}&count=exact`)).toMatchObject({ count: 1 })
    expect((await service.send('DELETE', `/users/${idOf(1)}`)).status).toBe(409)
  })

  it('keep a scope', async () => {
    for (const owner of [idOf(1), idOf(2)]) await service.send('POST', '/notes/', { owner })
    await service.query(
      `insert into notes (owner) values ('${'1'.repeat(8)}-1111-1111-1111-${'1'.repeat(12)}')${dialect.name === 'sqlite' ? ' returning id' : ''}`,
    )
    const { items } = await list('/notes/')
    expect(items.map(({ owner }) => owner)).toEqual([idOf(2)])
  })
})
