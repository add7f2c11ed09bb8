import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { freePort } from '../readme/server.ts'
import { type RedisServer, startRedis } from '../servers/redis.ts'
import { onRedis } from '../servers/test-redis.ts'
import { type Answered, underLoad } from './load.ts'
import { type ShopProcess, startShop } from './shop-process.ts'

const CLIENTS = 32
/** More than end before Redis does, and than the clients end afterwards. */
const SESSIONS = 150

onRedis('Redis that is restarted under load', () => {
  let folder = ''
  let server: RedisServer | undefined
  let shop: ShopProcess | undefined
  afterEach(async () => {
    shop?.child.kill('SIGKILL')
    await shop?.ended
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('forgets no session that was ended, and sessions go on by themselves', {
    timeout: 180_000,
  }, async () => {
    folder = mkdtempSync(join(tmpdir(), 'modelrest-faults-'))
    const port = String(await freePort())
    // What is revoked is on the disk before anybody hears of it.
    const settings = { port, appendonly: 'yes', appendfsync: 'always' }
    server = await startRedis({ folder, settings })
    shop = await startShop({
      ...{ DATABASE: join(folder, 'shop.db'), AUTH: '1', SECRET_KEY: 'k'.repeat(32) },
      REDIS_URL: `redis://127.0.0.1:${port}`,
    })
    const { api } = shop
    const [, user = ''] = /^Demo user +(\{.*\})$/m.exec(shop.output()) ?? []

    const answered = async (reply: Response): Promise<Answered & { readonly access: string }> => {
      const text = await reply.text()
      const given: object = text === '' ? {} : JSON.parse(text)
      return {
        status: reply.status,
        code: Reflect.get(given, 'code'),
        retry: reply.headers.get('retry-after'),
        access: String(Reflect.get(given, 'access')),
      }
    }
    const login = async () => {
      const headers = { 'content-type': 'application/json' }
      return answered(await fetch(`${api}auth/login`, { method: 'POST', headers, body: user }))
    }
    const bearer = (access: string) => ({ headers: { authorization: `Bearer ${access}` } })
    const read = async (access: string) => answered(await fetch(`${api}products/?limit=1`, bearer(access)))

    const session = await login()
    expect(session.status).toBe(200)
    const open: string[] = []
    while (open.length < SESSIONS) {
      for (const { status, access } of await Promise.all([login(), login(), login()])) {
        expect(status).toBe(200)
        open.push(access)
      }
    }
    const ended = new Set<string>()
    const logout = async (): Promise<Answered> => {
      const access = open.shift()
      if (access === undefined) return await read(session.access)
      const reply = await answered(await fetch(`${api}auth/logout`, { method: 'POST', ...bearer(access) }))
      if (reply.status === 204) ended.add(access)
      else open.push(access)
      return reply
    }
    const load = underLoad(CLIENTS, {
      reads: Array.from({ length: 8 }, () => () => read(session.access)),
      writes: [logout],
    })

    await load.until('sessions that end', () => ended.size > CLIENTS)
    await server.stop()
    const refused = load.denied.size
    await load.until('refusals', () => load.denied.size > refused + CLIENTS)
    server = await startRedis({ folder, settings })
    const back = performance.now()
    load.forget()
    await load.until('one client', () => load.served > 0)
    const first = Math.round(performance.now() - back)
    await load.until('all clients', () => load.served === CLIENTS)
    const all = Math.round(performance.now() - back)
    await load.stop()
    process.stderr.write(
      `Redis back: first session ended after ${first} ms, all ${CLIENTS} clients after ${all} ms; slowest answer ${Math.round(load.slowest)} ms; ${JSON.stringify(Object.fromEntries(load.answers))}\n`,
    )

    expect([...load.answers.keys()].filter((answer) => !/^2|^503 unavailable/.test(answer))).toEqual([])
    expect(load.withoutRetry).toBe(0)
    for (const access of ended) expect((await read(access)).status).toBe(401)
    expect((await read(session.access)).status).toBe(200)
    shop.child.kill('SIGTERM')
    expect(await shop.ended, shop.output()).toBe(0)
  })
})
