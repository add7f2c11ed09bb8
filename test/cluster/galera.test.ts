import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import mysql, { type RowDataPacket } from 'mysql2/promise'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { demoUser } from '../../examples/shop/demo-user.ts'
import { scenario } from '../scenario/scenario.ts'
import { type GaleraCluster, startGalera } from '../servers/galera.ts'
import { onGalera } from '../servers/test-galera.ts'
import { type Cluster, startAlone, startCluster } from './cluster.ts'

const SECRET_KEY = 'a secret that all processes of the shop have in common'

onGalera('two processes on two nodes of Galera', () => {
  const media = mkdtempSync(join(tmpdir(), 'modelrest-galera-media-'))
  let galera: GaleraCluster
  let cluster: Cluster
  let headers: Readonly<Record<string, string>>

  const query = async <T extends RowDataPacket>(node: number, statement: string): Promise<T[]> => {
    const connection = await mysql.createConnection(`${galera.nodes[node]?.url}shop`)
    try {
      const [rows] = await connection.query<T[]>(statement)
      return rows
    } finally {
      await connection.end()
    }
  }

  beforeAll(async () => {
    galera = await startGalera()
    const [one, other] = galera.nodes
    const connection = await mysql.createConnection(one?.url ?? '')
    await connection.query('create database shop character set utf8mb4 collate utf8mb4_nopad_bin')
    await connection.end()
    cluster = await startCluster({
      DATABASE_URL: `${one?.url}shop ${other?.url}shop`,
      REDIS_URL: `${inject('redis')}/3`,
      SECRET_KEY,
      MEDIA_ROOT: media,
    })
    const login = await send(cluster.base, 'POST', 'auth/login', demoUser, {})
    headers = { authorization: `Bearer ${login.json['access']}` }
  }, 300_000)
  afterAll(async () => {
    await cluster?.stop()
    await galera?.stop()
    rmSync(media, { recursive: true, force: true })
  }, 60_000)

  const send = async (base: string, method: string, path: string, body?: object, own = headers) => {
    const reply = await fetch(`${base}/${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...own },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await reply.text()
    const json: Record<string, unknown> = text.startsWith('{') ? JSON.parse(text) : {}
    return { status: reply.status, json, retryAfter: reply.headers.get('retry-after') }
  }
  const bases = (): readonly string[] => cluster.processes.map(({ base }) => base)
  const baseOf = (number: number): string => bases()[number % 2] ?? ''

  it('answer through the proxy as one process on SQLite does', async () => {
    const { base, stop } = await startAlone({ SECRET_KEY, REDIS_URL: `${inject('redis')}/4` })
    try {
      expect(await scenario(cluster.base)).toEqual(await scenario(base))
    } finally {
      await stop()
    }
  }, 180_000)

  it('lose no change where they change the same record at once', async () => {
    const [order] = await query<RowDataPacket>(
      0,
      `select id, customer_id from orders where status = 'pending' order by id limit 1`,
    )
    const points = async (node: number): Promise<number> =>
      (
        await query(node, `select loyalty_points n from customers where id = '${order?.['customer_id']}'`)
      )[0]?.['n']
    await query(0, `delete from order_items where order_id = ${order?.['id']}`)
    const before = await points(0)
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, number) =>
        send(baseOf(number), 'POST', 'order-items/', {
          order_id: order?.['id'],
          product_id: number + 1,
          unit_price: 1,
        }),
      ),
    )
    for (const { status, json, retryAfter } of replies) {
      if (status === 201) continue
      expect([status, json['code']]).toEqual([503, 'write_conflict'])
      expect(retryAfter).toMatch(/^\d+$/)
    }
    const made = replies.filter(({ status }) => status === 201).length
    expect(made).toBeGreaterThan(0)
    // Each item that was acknowledged gave its points, and none that was not.
    for (const node of [0, 1, 2]) {
      expect(await points(node)).toBe(before + 10 * made)
      const [items] = await query(
        node,
        `select count(*) n from order_items where order_id = ${order?.['id']}`,
      )
      expect(items?.['n']).toBe(made)
    }
  }, 120_000)

  it('do again what another node undid', async () => {
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, number) =>
        send(baseOf(number), 'PATCH', 'products/1', { price: `${number}.00` }),
      ),
    )
    const refused = replies.filter(({ status }) => status !== 200)
    for (const { status, json } of refused) expect([status, json['code']]).toEqual([503, 'write_conflict'])
    // Every second one meets a conflict. Done again, they pass.
    expect(refused.length).toBeLessThanOrEqual(8)
    const [row] = await query(2, 'select price from products where id = 1')
    const last = replies.filter(({ status }) => status === 200).map(({ json }) => json['price'])
    expect(last).toContain(row?.['price'])
  }, 120_000)

  it('lose nothing that was acknowledged where a node is killed under load', async () => {
    const acknowledged: string[] = []
    const denied: Awaited<ReturnType<typeof send>>[] = []
    const readings: number[] = []
    let isKilled = false
    let afterwards = 0
    let isOver = false
    const enough = (): boolean => isOver || (isKilled && afterwards >= 100)
    const write = async (writer: number): Promise<void> => {
      for (let number = 0; !enough(); number += 1) {
        const name = `Under load ${writer} ${number}`
        const wasKilled = isKilled
        const reply = await send(baseOf(number), 'POST', 'products/', { name, price: 1 })
        if (reply.status === 201) {
          acknowledged.push(name)
          if (wasKilled) afterwards += 1
        } else denied.push(reply)
      }
    }
    const read = async (): Promise<void> => {
      while (!enough()) readings.push((await send(cluster.base, 'GET', 'products/1')).status)
    }
    const load = Promise.all([...Array.from({ length: 8 }, (_, writer) => write(writer)), read()])
    await expect.poll(() => acknowledged.length, { timeout: 60_000 }).toBeGreaterThan(100)
    await galera.nodes[1]?.kill()
    isKilled = true
    try {
      await expect.poll(() => afterwards, { timeout: 60_000 }).toBeGreaterThanOrEqual(100)
    } finally {
      isOver = true
      await load
    }
    for (const { status, json, retryAfter } of denied) {
      expect([status, String(json['code'])]).toEqual([
        503,
        expect.stringMatching(/^(unavailable|outcome_unknown|write_conflict)$/),
      ])
      expect(retryAfter).toMatch(/^\d+$/)
    }
    expect(denied.length).toBeGreaterThan(0)
    for (const node of [0, 2]) {
      const rows = await query<RowDataPacket & { name: string }>(
        node,
        `select name from products where name like 'Under load%'`,
      )
      const there = new Set(rows.map(({ name }) => name))
      expect(acknowledged.filter((name) => !there.has(name))).toEqual([])
    }
    // Who only reads does not notice: nginx asks the other process.
    expect(new Set(readings)).toEqual(new Set([200]))
    const [one = '', other = ''] = bases()
    expect((await send(one, 'GET', 'health/ready')).status).toBe(200)
    expect((await send(other, 'GET', 'health/ready')).status).toBe(503)
    expect((await send(other, 'GET', 'products/1')).json['code']).toBe('unavailable')
  }, 180_000)

  it('are not ready on a node that has lost the others: it runs, but serves no tables', async () => {
    await galera.nodes[2]?.kill()
    const [alone = ''] = bases()
    const ready = () => send(alone, 'GET', 'health/ready')
    await expect.poll(async () => (await ready()).status, { timeout: 60_000 }).toBe(503)
    const reply = await send(alone, 'GET', 'products/1')
    expect([reply.status, reply.json['code']]).toEqual([503, 'unavailable'])
    // It does not come back by itself.
    expect((await ready()).json).toMatchObject({ ready: false, checks: { database: 'failed' } })
  }, 120_000)
})
