import { describe, expect, test } from 'vitest'
import { type Column, counted, int, maybe, text } from '../../stage/columns.ts'
import { inTest, type Service, startsOf } from '../../stage/service.ts'
import { refusalOf } from './stage.ts'

const json: Column = { type: 'json' }

const { oneTick } = startsOf({
  parts: { code: text(undefined, { key: 'given' }), team: int(), deleted_at: maybe('time') },
  auditEntries: {
    ...{ id: counted, at: { type: 'time' }, caller: maybe('text'), act: text(), model: text() },
    ...{ record: text(10), changes: json },
  },
})

const start = (part: object = {}): Promise<Service> =>
  inTest(
    oneTick({
      ...{ audit: true, parts: { Part: part } },
      modelConfig: { Part: { public: true, bulk: true, softDelete: 'deleted_at' } } as never,
    }),
  )

describe('an array of new records', () => {
  test('says which one has a key that the audit log has no room for', async () => {
    const { send, rows } = await start()
    const body = ['a', 'b'.repeat(11), 'c'].map((code) => ({ code, team: 1 }))
    expect(refusalOf(await send('POST', '/parts/', { body }))).toEqual([
      ...[422, 'invalid_body', '/1/code too_long'],
    ])
    expect(await rows('select code from parts')).toEqual([])
    expect(await rows('select id from audit_entries')).toEqual([])
  })

  test('may have records that a hook deletes softly, within a scope', async () => {
    const { send, rows } = await start({
      scope: () => ({ team: 1 }),
      beforeCreate: (_request: never, payload: { code: string }) =>
        payload.code === 'old' ? { ...payload, deleted_at: new Date(1000) } : payload,
    })
    const create = (codes: readonly string[], team = 1) =>
      send('POST', '/parts/', { body: codes.map((code) => ({ code, team })) })
    expect((await create(['new', 'old'])).status).toBe(201)
    expect(refusalOf(await create(['other'], 2)).slice(0, 2)).toEqual([403, 'forbidden'])
    expect(await rows('select code from parts where deleted_at is not null')).toEqual([{ code: 'old' }])
  })
})
