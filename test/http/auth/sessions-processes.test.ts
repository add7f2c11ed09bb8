import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { onRedis, testRedis } from '../../servers/test-redis.ts'
import { ada, type Session } from '../../stage/auth-service.ts'
import { claimsOf } from '../../stage/stateful.ts'

/** One of the processes, as a client sees it. */
interface Process {
  readonly child: ChildProcess
  readonly origin: string
}

const script = fileURLToPath(new URL('sessions-server.ts', import.meta.url))

const started = async (args: readonly string[]): Promise<Process> => {
  const child = fork(script, args)
  const [port] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`The process ended with ${code}.`))),
  ])) as [number]
  return { child, origin: `http://127.0.0.1:${port}` }
}

const post = ({ origin }: Process, act: string, body: object): Promise<Response> =>
  fetch(`${origin}/auth/${act}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

const meAt = async ({ origin }: Process, token: string): Promise<number> =>
  (await fetch(`${origin}/auth/me`, { headers: { authorization: `Bearer ${token}` } })).status

const idsAt = async ({ origin }: Process, { access }: Session): Promise<readonly unknown[]> => {
  const reply = await fetch(`${origin}/auth/sessions`, { headers: { authorization: `Bearer ${access}` } })
  return ((await reply.json()) as { readonly items: readonly unknown[] }).items
}

onRedis('sessions of two processes on one Redis', () => {
  const folder = mkdtempSync(join(tmpdir(), 'modelrest-sessions-'))
  let one: Process
  let other: Process
  beforeAll(async () => {
    const { url, prefix } = testRedis()
    const args = [join(folder, 'users.db'), url, prefix]
    one = await started([...args, 'redis'])
    other = await started([...args, 'ioredis'])
  })
  afterAll(async () => {
    for (const { child } of [one, other]) {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    }
    rmSync(folder, { recursive: true, force: true })
  })

  const registeredAs = async (username: string): Promise<Session> => {
    const reply = await post(one, 'register', { ...ada, username, email: `${username}@example.com` })
    expect(reply.status).toBe(201)
    return (await reply.json()) as Session
  }

  it('checklist 12: of 50 refreshes with one token at two processes one gets a pair, and its family goes on at both', async () => {
    const { refresh } = await registeredAs('ada')
    const all = Array.from({ length: 50 }, (_, number) =>
      post(number % 2 === 0 ? one : other, 'refresh', { refresh }),
    )
    const replies = await Promise.all(all)
    const won = replies.filter(({ status }) => status === 200)
    expect(won.length).toBe(1)
    expect(replies.filter(({ status }) => status === 401).length).toBe(49)
    const next = (await won[0]?.json()) as Session
    expect([await meAt(one, next.access), await meAt(other, next.access)]).toEqual([200, 200])
    expect((await post(other, 'refresh', { refresh: next.refresh })).status).toBe(200)
  })

  it('checklist 14: a logout at one process is seen at the other at once, and the other way round', async () => {
    for (const [here, there] of [
      [one, other],
      [other, one],
    ] as const) {
      const { access, refresh } = await registeredAs(here === one ? 'grace' : 'joan')
      // Both have seen the tokens, so that neither has to look at their signature again.
      expect([await meAt(here, access), await meAt(there, access)]).toEqual([200, 200])
      const headers = { authorization: `Bearer ${access}`, 'content-type': 'application/json' }
      const body = JSON.stringify({ refresh })
      const logout = await fetch(`${here.origin}/auth/logout`, { method: 'POST', headers, body })
      expect(logout.status).toBe(204)
      expect(await meAt(there, access)).toBe(401)
      expect((await post(there, 'refresh', { refresh })).status).toBe(401)
    }
  })

  it('checklist 10: a grandparent at one process ends the family at the other at once', async () => {
    const first = await registeredAs('mary')
    const second = (await (await post(other, 'refresh', { refresh: first.refresh })).json()) as Session
    const third = (await (await post(one, 'refresh', { refresh: second.refresh })).json()) as Session
    expect(await meAt(other, third.access)).toBe(200)
    expect((await post(one, 'refresh', { refresh: first.refresh })).status).toBe(401)
    expect(await meAt(other, third.access)).toBe(401)
    expect((await post(other, 'refresh', { refresh: third.refresh })).status).toBe(401)
  })

  it('checklist 41: sessions that begin at both processes at once are listed at both, and end at both', async () => {
    const mine = await registeredAs('katherine')
    const body = { username: 'katherine', password: ada.password }
    const logins = await Promise.all(
      Array.from({ length: 10 }, (_, number) => post(number % 2 === 0 ? one : other, 'login', body)),
    )
    const sessions = await Promise.all(logins.map(async (reply) => (await reply.json()) as Session))
    for (const process of [one, other]) expect((await idsAt(process, mine)).length).toBe(11)
    const [first] = sessions
    const id = String(claimsOf(first?.access ?? '')['fid'])
    const headers = { authorization: `Bearer ${mine.access}` }
    const ended = await fetch(`${one.origin}/auth/sessions/${id}`, { method: 'DELETE', headers })
    expect(ended.status).toBe(204)
    expect(await meAt(other, first?.access ?? '')).toBe(401)
    expect((await idsAt(other, mine)).length).toBe(10)
    const all = await fetch(`${other.origin}/auth/logout/all`, { method: 'POST', headers })
    expect(all.status).toBe(204)
    for (const { access } of [mine, ...sessions]) expect(await meAt(one, access)).toBe(401)
  })
})
