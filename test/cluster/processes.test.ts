import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { demoUser } from '../../examples/shop/demo-user.ts'
import { formOf, picture } from '../scenario/picture.ts'
import { scenario } from '../scenario/scenario.ts'
import { onCluster } from '../servers/test-cluster.ts'
import { createDatabase, type TestDatabase } from '../servers/test-database.ts'
import { type Cluster, startAlone, startCluster } from './cluster.ts'

const SECRET_KEY = 'a secret that all processes of the shop have in common'

interface Session {
  readonly access: string
  readonly refresh: string
}

onCluster('two processes behind nginx', () => {
  const media = mkdtempSync(join(tmpdir(), 'modelrest-cluster-'))
  let database: TestDatabase
  let cluster: Cluster
  let one: string
  let other: string

  beforeAll(async () => {
    database = await createDatabase('cluster')
    cluster = await startCluster({
      DATABASE_URL: database.url,
      // Apart from other tests on this server: the shop has one prefix.
      REDIS_URL: `${inject('redis')}/1`,
      SECRET_KEY,
      MEDIA_ROOT: media,
    })
    const bases = cluster.processes.map(({ base }) => base)
    one = bases[0] ?? ''
    other = bases[1] ?? ''
  }, 120_000)
  afterAll(async () => {
    await cluster?.stop()
    await database?.drop()
    rmSync(media, { recursive: true, force: true })
  }, 60_000)

  const post = (base: string, path: string, body: object, headers = {}): Promise<Response> =>
    fetch(`${base}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })

  const loggedIn = async (base: string): Promise<Session> => {
    const reply = await post(base, 'auth/login', demoUser)
    expect(reply.status).toBe(200)
    return (await reply.json()) as Session
  }

  const bearer = ({ access }: Session) => ({ authorization: `Bearer ${access}` })

  const meAt = async (base: string, session: Session): Promise<number> =>
    (await fetch(`${base}/auth/me`, { headers: bearer(session) })).status

  it('both started at once on an empty database, and one of them filled it', async () => {
    const session = await loggedIn(one)
    for (const base of [one, other, cluster.base]) {
      const reply = await fetch(`${base}/products/?limit=0`, { headers: bearer(session) })
      expect(await reply.json()).toEqual({ items: [], count: 100, count_exact: true })
    }
  })

  it('answer through the proxy as one process on SQLite does', async () => {
    const { base, stop } = await startAlone({ SECRET_KEY, REDIS_URL: `${inject('redis')}/2` })
    try {
      expect(await scenario(cluster.base)).toEqual(await scenario(base))
    } finally {
      await stop()
    }
  }, 120_000)

  it('take the session of the other, and refuse what ended there', async () => {
    for (const [here, there] of [
      [one, other],
      [other, one],
    ] as const) {
      const session = await loggedIn(here)
      // Both have seen the token before.
      expect([await meAt(here, session), await meAt(there, session)]).toEqual([200, 200])
      const logout = await post(there, 'auth/logout', { refresh: session.refresh }, bearer(session))
      expect(logout.status).toBe(204)
      expect([await meAt(here, session), await meAt(there, session)]).toEqual([401, 401])
      expect((await post(here, 'auth/refresh', { refresh: session.refresh })).status).toBe(401)
    }
  })

  it('count failed logins together', async () => {
    const guess = { email: 'somebody@shop.example', password: 'not this one either' }
    const statuses: number[] = []
    for (let tried = 0; tried < 12; tried += 1)
      statuses.push((await post(tried % 2 === 0 ? one : other, 'auth/login', guess)).status)
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429])
    expect((await post(cluster.base, 'auth/login', guess)).headers.get('retry-after')).toMatch(/^\d+$/)
  })

  it('serve the files of the other, and leave none behind', async () => {
    const session = await loggedIn(one)
    const before = filesIn(media)
    const form = formOf({ name: 'From one' }, picture)
    const made = await fetch(`${one}/categories/`, { method: 'POST', headers: bearer(session), body: form })
    expect(made.status).toBe(201)
    const { id, image } = (await made.json()) as { readonly id: number; readonly image: string }
    for (const base of [other, cluster.base]) {
      // Its signature, of one process, is good at the other.
      const reply = await fetch(new URL(image, base))
      expect(reply.status).toBe(200)
      expect(Buffer.from(await reply.arrayBuffer())).toEqual(picture)
    }
    const gone = await fetch(`${other}/categories/${id}`, { method: 'DELETE', headers: bearer(session) })
    expect(gone.status).toBe(204)
    expect((await fetch(new URL(image, one))).status).toBe(404)
    await expect.poll(() => filesIn(media)).toEqual(before)
  })

  it('know the client behind the proxy, and not the one that it claims to be', async () => {
    const body = JSON.stringify({ email: 'stranger@shop.example', password: 'a guess' })
    const { port } = new URL(cluster.base)
    const status = await new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.7' }
      const options = { port, path: '/api/auth/login', method: 'POST', headers, localAddress: '127.0.0.9' }
      request({ host: '127.0.0.1', ...options }, (reply) => resolve(reply.resume().statusCode))
        .once('error', reject)
        .end(body)
    })
    expect(status).toBe(401)
    await cluster.says(/auth\.login_refused .*"address":"127\.0\.0\.9"/)
    expect(cluster.output()).not.toContain('203.0.113.7')
  })

  it('keep health to themselves', async () => {
    for (const base of [one, other]) expect((await fetch(`${base}/health/ready`)).status).toBe(200)
    expect((await fetch(`${cluster.base}/health/ready`)).status).toBe(404)
  })

  it('cover for a process that is killed, until it is there again', async () => {
    const session = await loggedIn(one)
    const [killed] = cluster.processes
    process.kill(killed?.pid ?? 0, 'SIGKILL')
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => fetch(`${cluster.base}/products/1`, { headers: bearer(session) })),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    const { port } = new URL(killed?.base ?? '')
    await cluster.says(new RegExp(`\\b${port}\\b.*\\bSIGKILL\\b[^]*^Shop API`, 'm'))
    expect(await meAt(one, session)).toBe(200)
  }, 60_000)

  it('end when they are told to, and leave nothing behind', async () => {
    expect(await cluster.stop()).toBe(0)
    for (const base of [one, other, cluster.base]) await expect(fetch(base)).rejects.toThrow()
    for (const { pid } of cluster.processes) expect(() => process.kill(pid, 0)).toThrow()
  }, 60_000)
})

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort()
