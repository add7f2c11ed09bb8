import { afterEach, describe, expect, it } from 'vitest'
import { ValueError } from '../../src/index.ts'
import { naming } from '../naming.ts'
import { databases, executeWith, type Hooked, type Start } from './hooked.ts'
import { startError } from './start-error.ts'

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

let service: Hooked | undefined
afterEach(() => service?.stop())

const insert = (thing: string) => `insert into things (name) values ('${thing}')`

describe.each(databases)('writes on %s', (name, start) => {
  const serve: Start = async (...given) => {
    service = await start(...given)
    return service
  }
  const isSync = name === 'better-sqlite3'

  it('share a transaction with what their after-hooks do by context.db', async () => {
    let refuse = true
    const { send, names } = await serve({
      afterCreate: (_request, record, { db }) => {
        const written = executeWith(db, insert(`log ${record['name']}`))
        if (isSync) {
          if (refuse) throw new ValueError('No.')
          return
        }
        return Promise.resolve(written).then(() => {
          if (refuse) throw new ValueError('No.')
        })
      },
    })
    expect((await send('POST', '/things/', { name: 'x' })).status).toBe(400)
    expect(await names()).toEqual([])
    refuse = false
    expect((await send('POST', '/things/', { name: 'y' })).status).toBe(201)
    expect(await names()).toEqual(['y', 'log y'])
  })

  it('are undone where an after-hook breaks a rule of the database, and nothing of it is told', async () => {
    const { send, names, log } = await serve({
      afterCreate: (_request, record, { db }) => executeWith(db, insert(String(record['name']))) as never,
    })
    const created = await send('POST', '/things/', { name: 'x' })
    expect(created.status).toBe(500)
    expect(JSON.stringify(created.json)).not.toMatch(/unique|constraint|insert/i)
    expect(log.join()).toMatch(/unique/i)
    expect(await names()).toEqual([])
  })

  it('refuse a context.db that is used when the transaction is over', async () => {
    let handle: unknown
    const { send } = await serve({
      afterCreate: (_request, _record, { db }) => {
        handle = db
      },
    })
    expect((await send('POST', '/things/', { name: 'x' })).status).toBe(201)
    expect(() => executeWith(handle, insert('late'))).toThrow(naming('context.db'))
  })

  it('go on as before after those that failed', async () => {
    let refuse = true
    const { send, names } = await serve({
      afterUpdate: () => {
        if (refuse) throw new Error('no')
      },
      afterDelete: () => {
        if (refuse) throw new Error('no')
      },
    })
    await send('POST', '/things/', { name: 'x' })
    expect((await send('PATCH', '/things/1', { name: 'y' })).status).toBe(500)
    expect((await send('DELETE', '/things/1')).status).toBe(500)
    expect(await names()).toEqual(['x'])
    refuse = false
    expect((await send('PATCH', '/things/1', { name: 'y' })).status).toBe(200)
    expect((await send('DELETE', '/things/1')).status).toBe(204)
    expect(await names()).toEqual([])
  })

  it('of many at once, with slow hooks and the host writing between them, keep apart', async () => {
    const clients = 50
    const { send, names, execute } = await serve({
      beforeCreate: async (_request, payload) => {
        for (let turn = 0; turn < Number(String(payload['name']).slice(1)) % 7; turn += 1) await nextTurn()
        return { ...payload, slug: `of ${payload['name']}` }
      },
      afterCreate: (_request, record, { db }) => {
        const thing = String(record['name'])
        const log = () => executeWith(db, insert(`log ${thing}`))
        const refuse = () => {
          if (Number(thing.slice(1)) % 3 === 0) throw new ValueError('No.')
        }
        if (!isSync) return slowly(log, refuse)
        log()
        refuse()
        return undefined
      },
    })
    const slowly = async (log: () => unknown, refuse: () => void): Promise<undefined> => {
      await log()
      await nextTurn()
      refuse()
    }
    const hostWrites = async (): Promise<void> => {
      for (let turn = 0; turn < clients; turn += 1) {
        await execute(insert(`h${turn}`))
        await nextTurn()
      }
    }
    const [replies] = await Promise.all([
      Promise.all(Array.from({ length: clients }, (_, n) => send('POST', '/things/', { name: `c${n}` }))),
      hostWrites(),
    ])
    const kept = Array.from({ length: clients }, (_, n) => n).filter((n) => n % 3 !== 0)
    for (const [n, reply] of replies.entries()) {
      expect(reply.status).toBe(n % 3 === 0 ? 400 : 201)
      if (n % 3 !== 0) expect(reply.json).toMatchObject({ name: `c${n}`, slug: `of c${n}` })
    }
    const expected = [
      ...kept.flatMap((n) => [`c${n}`, `log c${n}`]),
      ...Array.from({ length: clients }, (_, n) => `h${n}`),
    ]
    expect([...(await names())].sort()).toEqual(expected.sort())
  })
})

const [[, startSqlite], [, startPglite]] = databases

describe('writes on a synchronous driver', () => {
  const serveSqlite: Start = async (...given) => {
    service = await startSqlite(...given)
    return service
  }

  it('are undone where an after-hook gives a promise: the log says what to do', async () => {
    const { send, names, log } = await serveSqlite({
      // An async function would be refused at start.
      afterCreate: (_request, _record, { db }) =>
        nextTurn().then(() => {
          executeWith(db, insert('late'))
        }),
    })
    expect((await send('POST', '/things/', { name: 'x' })).status).toBe(500)
    await nextTurn()
    expect(await names()).toEqual([])
    expect(log.join()).toMatch(naming('controllers[0]', 'ThingController', 'afterCreate', 'afterCommit'))
  })

  it('with asynchronous hooks inside their transaction are refused at start', async () => {
    await expect(startSqlite({ afterCreate: async () => undefined })).rejects.toThrow(
      startError('controllers[0]', 'ThingController', 'afterCreate', 'afterCommit'),
    )
  })
})

describe('writes on an asynchronous driver', () => {
  const servePglite: Start = async (...given) => {
    service = await startPglite(...given)
    return service
  }

  it('that take longer than TRANSACTION_TIMEOUT are undone, and the next go on', async () => {
    let stuck = true
    const { send, names, log } = await servePglite(
      {
        afterCreate: async (_request, _record, context) => {
          // Another way to the database waits for the end of this very transaction.
          if (stuck) await service?.execute(insert('by another way'))
          else await executeWith(context.db, insert('by context.db'))
        },
      },
      { settings: { TRANSACTION_TIMEOUT: 1 } },
    )
    expect((await send('POST', '/things/', { name: 'x' })).status).toBe(500)
    expect(log.join()).toMatch(naming('TRANSACTION_TIMEOUT', 1, 'context.db'))
    stuck = false
    expect((await send('POST', '/things/', { name: 'y' })).status).toBe(201)
    expect(await names()).toEqual(['by another way', 'y', 'by context.db'])
  })

  it('that go on for longer are a 503, and nothing is stored', async () => {
    const { send, names, log } = await servePglite(
      { afterCreate: () => new Promise((resolve) => setTimeout(() => resolve(undefined), 150)) },
      { settings: { TRANSACTION_TIMEOUT: 1 }, modelConfig: { Thing: { bulk: true } } },
    )
    const many = Array.from({ length: 10 }, (_, at) => ({ name: `x${at}` }))
    const { status, headers, json } = await send('POST', '/things/', many)
    expect([status, headers['retry-after'], json['code']]).toEqual([503, '5', 'unavailable'])
    expect(log.join()).toMatch(naming('TRANSACTION_TIMEOUT', 1))
    expect(await names()).toEqual([])
  })
})
