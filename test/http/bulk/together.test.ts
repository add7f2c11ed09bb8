import { expect, test } from 'vitest'
import { describeEach } from '../../needed-program.ts'
import { audited } from '../audit/stage.ts'
import { listOf } from './stage.ts'

const modelConfig = {
  Ticket: { public: true, bulk: true, softDelete: 'opened', version: 'revision' },
} as const

describeEach(audited, 'bulk writes on %s', (start) => {
  test('raise versions, delete softly, and have an audit entry for each record', async () => {
    const { send, entries } = await start({ modelConfig })
    const made = await send('POST', '/tickets/', [{ title: 'a' }, { title: 'b' }])
    expect(made.status, made.text).toBe(201)
    const [a, b] = listOf(made)
    expect([a?.['revision'], b?.['revision']]).toEqual([1, 1])
    expect((await entries()).map(({ act, record }) => `${act} ${record}`)).toEqual([
      `create ${a?.['id']}`,
      `create ${b?.['id']}`,
    ])
    const changed = await send('PATCH', `/tickets/?q=id=${a?.['id']}`, { title: 'c' })
    expect(changed.json).toEqual({ count: 1, dry_run: false })
    const listed = await send('PATCH', '/tickets/', [{ id: a?.['id'], title: 'd' }])
    expect(listOf(listed)).toMatchObject([{ title: 'd', revision: 3 }])
    expect(await entries()).toMatchObject([
      { act: 'update', changes: { title: { before: 'a', after: 'c' } } },
      { act: 'update', changes: { title: { before: 'c', after: 'd' } } },
    ])
    expect((await send('DELETE', `/tickets/?q=id=${a?.['id']}`)).json).toEqual({ count: 1, dry_run: false })
    expect((await entries()).map(({ act }) => act)).toEqual(['delete'])
    expect((await send('GET', `/tickets/${a?.['id']}`)).status).toBe(404)
    expect((await send('DELETE', `/tickets/?q=id=${a?.['id']}`)).json).toEqual({ count: 0, dry_run: false })
    // A deleted record is not among those that match.
    expect((await send('PATCH', '/tickets/', [{ id: a?.['id'], title: 'e' }])).status).toBe(404)
  })

  test('have no entry, and no record, if one is refused', async () => {
    const { send, entries, rows } = await start({ modelConfig })
    const refused = await send('POST', '/tickets/', [{ title: 'a' }, { title: 'x'.repeat(21) }])
    expect([refused.status, refused.json['code']]).toEqual([422, 'invalid_body'])
    expect(await entries()).toEqual([])
    expect(await rows('select id from tickets')).toHaveLength(1)
  })

  test('cannot be conditional', async () => {
    const { send } = await start({ modelConfig })
    for (const [method, path, body] of [
      ['POST', '/tickets/', [{ title: 'a' }]],
      ['PATCH', '/tickets/', [{ id: 90, title: 'a' }]],
      ['PATCH', '/tickets/?q=id=90', { title: 'a' }],
      ['DELETE', '/tickets/?q=id=90', undefined],
    ] as const) {
      const reply = await send(method, path, body, undefined, { 'if-match': '"1"' })
      expect([method, reply.status, reply.json['code']]).toEqual([method, 400, 'unsupported_header'])
    }
    const strict = await start({ modelConfig: { Ticket: { ...modelConfig.Ticket, requireIfMatch: true } } })
    expect((await strict.send('PATCH', '/tickets/', [{ id: 90, title: 'a' }])).status).toBe(405)
    expect((await strict.send('DELETE', '/tickets/?q=id=90')).status).toBe(405)
  })
})
