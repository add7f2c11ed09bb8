import { expect, test } from 'vitest'
import { action } from '../../src/index.ts'
import { describeEach } from '../needed-program.ts'
import { onFastify } from '../stage/apps.ts'
import { openSqlite } from '../stage/databases.ts'
import { audited, type Start, sqlite } from './audit/stage.ts'
import { listOf } from './bulk/stage.ts'
import { startError } from './start-error.ts'

const Ticket = {
  ...{ public: true, bulk: true, write: ['items'] },
  stamps: {
    created_by: 'caller on create',
    updated_by: 'caller',
    opened: 'now on create',
    updated_at: 'now',
  },
} as const

const Item = { public: true, stamps: { maker: 'caller' } } as const

describeEach(audited, 'stamps on %s', (start) => {
  const stamped: Start = (options) => start({ audit: false, modelConfig: { Ticket, Item }, ...options })

  test('are filled by each write, or only by the first', async () => {
    const { send } = await stamped()
    const made = await send('POST', '/tickets/', { title: 'a' }, 'ada')
    expect(made.json).toMatchObject({ created_by: 'ada', updated_by: 'ada', opened: expect.any(String) })
    const { id, opened } = made.json
    expect(Math.abs(Date.parse(String(opened)) - Date.now())).toBeLessThan(3_600_000)
    const changed = await send('PATCH', `/tickets/${id}`, { title: 'b' }, 'eve')
    expect(changed.json).toMatchObject({ created_by: 'ada', updated_by: 'eve', opened })
    const replaced = await send('PUT', `/tickets/${id}`, { title: 'c' })
    expect(replaced.json).toMatchObject({ created_by: 'ada', updated_by: null, opened })
  })

  test('stay as they are where nothing changes', async () => {
    const { send } = await stamped()
    expect((await send('PATCH', '/tickets/90', {}, 'ada')).json).toMatchObject({ updated_by: null })
  })

  test('name who has reset fields by leaving them out', async () => {
    const { send } = await stamped({
      modelConfig: { Ticket: { ...Ticket, optional: ['title'] }, Item } as never,
    })
    const made = await send('POST', '/tickets/', { title: 'a', note: 'mine' }, 'ada')
    const reset = await send('PUT', `/tickets/${made.json['id']}`, {}, 'eve')
    expect(reset.json).toMatchObject({ title: 'a', note: null, updated_by: 'eve', created_by: 'ada' })
  })

  test('are not for clients, also through a custom value', async () => {
    const { send } = await stamped()
    for (const name of ['created_by', 'updated_by', 'opened', 'updated_at']) {
      const refused = await send('POST', '/tickets/', { title: 'a', [name]: 'x' }, 'ada')
      expect([name, refused.status]).toEqual([name, 422])
      expect((await send('PATCH', '/tickets/90', { [name]: 'x' }, 'ada')).status).toBe(422)
    }
  })

  test('are filled by bulk writes, for related records, after hooks and by actions', async () => {
    const rename = action({ on: 'record', run: () => ({ title: 'renamed' }) })
    const { send } = await stamped({
      parts: {
        Ticket: {
          actions: { rename },
          beforeCreate: (_request, payload) => ({ ...payload, created_by: 'x' }),
        },
      },
    })
    const made = await send('POST', '/tickets/', [{ title: 'a' }, { title: 'b' }], 'ada')
    expect(listOf(made)).toMatchObject([{ created_by: 'ada' }, { created_by: 'ada' }])
    expect((await send('PATCH', '/tickets/?q=id=90', { title: 'c' }, 'eve')).status).toBe(200)
    expect((await send('GET', '/tickets/90')).json).toMatchObject({
      title: 'c',
      updated_by: 'eve',
      created_by: null,
    })
    const parent = await send('POST', '/tickets/', { title: 'a', items: [{ name: 'x' }] }, 'ada')
    expect(parent.json['items']).toMatchObject([{ maker: 'ada' }])
    expect((await send('POST', '/tickets/90/rename', undefined, 'ada')).json).toMatchObject({
      updated_by: 'ada',
    })
  })

  test('that cannot be null refuse anonymous callers', async () => {
    const { send, rows } = await stamped({
      modelConfig: { Ticket: { ...Ticket, stamps: { title: 'caller' } } },
    })
    const refused = await send('POST', '/tickets/', {})
    expect([refused.status, refused.json['code']]).toEqual([401, 'unauthenticated'])
    expect(await rows('select id from tickets')).toHaveLength(1)
    expect((await send('POST', '/tickets/', {}, 'ada')).json).toMatchObject({ title: 'ada' })
  })
})

test.each<readonly [object, readonly string[]]>([
  [{ missing: 'now' }, ['stamps', 'missing']],
  [{ opened: 'later' }, ['opened', 'later', 'now']],
  [{ opened: 'caller' }, ['opened', 'datetime']],
  [{ title: 'now' }, ['title', 'text']],
  [{ id: 'caller' }, ['id']],
  [{ updated_by: 'caller' }, ['updated_by', 'auth']],
])('stamps %o are refused at start', async (stamps, words) => {
  const { models } = openSqlite(sqlite, '')
  const started = onFastify({ models, modelConfig: { Ticket: { stamps } } as never })
  await expect(started).rejects.toEqual(startError(...words))
})
