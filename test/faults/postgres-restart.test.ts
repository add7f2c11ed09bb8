import pg from 'pg'
import { afterEach, expect, it } from 'vitest'
import { createThings, postgresDrivers, startThings } from '../http/postgres-things.ts'
import { type PostgresServer, startPostgres } from '../servers/postgres.ts'
import { onPostgres } from '../servers/test-database.ts'
import { type Answered, type Load, type Requests, underLoad } from './load.ts'
import { type ShopProcess, startShop } from './shop-process.ts'

const CLIENTS = 32

onPostgres('PostgreSQL that is restarted under load', () => {
  let server: PostgresServer | undefined
  let shop: ShopProcess | undefined
  afterEach(async () => {
    shop?.child.kill('SIGKILL')
    await shop?.ended
    await server?.stop()
    shop = undefined
    server = undefined
  })

  /** Restarts it under load. What was acknowledged is there afterwards, and what was denied is not. */
  const restarted = async (driver: string, postgres: PostgresServer, requests: Requests): Promise<Load> => {
    const load = underLoad(CLIENTS, requests)
    const resumed: number[] = []
    for (const how of ['crash', 'in order'] as const) {
      load.forget()
      const before = load.stored.size
      await load.until(`writes before the end (${how})`, () => load.stored.size > before + 200)
      await postgres.kill(how)
      const refused = load.denied.size
      await load.until(`refusals after the end (${how})`, () => load.denied.size > refused + CLIENTS)
      await postgres.start()
      const back = performance.now()
      load.forget()
      await load.until(`one client after the start (${how})`, () => load.served > 0)
      resumed.push(Math.round(performance.now() - back))
      await load.until(`all clients after the start (${how})`, () => load.served === CLIENTS)
      resumed.push(Math.round(performance.now() - back))
    }
    await load.stop()
    const [one, all, oneAgain, allAgain] = resumed
    process.stderr.write(
      `${driver}, PostgreSQL back: first write after ${one} and ${oneAgain} ms, all ${CLIENTS} clients after ${all} and ${allAgain} ms; slowest answer ${Math.round(load.slowest)} ms; ${JSON.stringify(Object.fromEntries(load.answers))}\n`,
    )
    return load
  }

  const expectTrue = async (load: Load, url: string, texts: string): Promise<void> => {
    const client = new pg.Client(url)
    await client.connect()
    const { rows } = await client.query<{ text: string }>(texts)
    await client.end()
    const found = rows.map(({ text }) => text)
    const there = new Set(found)
    expect(there.size, 'each is there once').toBe(found.length)
    expect([...load.stored].filter((text) => !there.has(text))).toEqual([])
    expect([...load.denied].filter((text) => there.has(text))).toEqual([])
    const answers = [...load.answers.keys()].filter((answer) => !/^2|^503 /.test(answer))
    expect(answers).toEqual([])
    expect(load.withoutRetry).toBe(0)
    // Nobody waits longer than for a connection.
    expect(load.slowest).toBeLessThan(15_000)
  }

  it('loses nothing of the shop, which goes on by itself', { timeout: 180_000 }, async () => {
    server = await startPostgres({ fsync: true })
    shop = await startShop({ DATABASE_URL: server.url })
    const { api } = shop
    const send = async (method: string, path: string, body?: object, headers = {}): Promise<Answered> => {
      const json = { 'content-type': 'application/json', ...headers }
      const reply = await fetch(`${api}${path}`, {
        method,
        headers: json,
        ...(body && { body: JSON.stringify(body) }),
      })
      const given = (await reply.json()) as object
      return {
        status: reply.status,
        code: Reflect.get(given, 'code'),
        retry: reply.headers.get('retry-after'),
      }
    }
    const orders = (await (await fetch(`${api}orders/?limit=50`)).json()) as {
      readonly items: readonly { readonly id: number; readonly customer_id: string }[]
    }
    const [order] = orders.items
    const customer = order?.customer_id ?? ''
    const load = await restarted('shop on node-postgres', server, {
      reads: [() => send('GET', 'products/?limit=5'), () => send('GET', `orders/${order?.id}`)],
      writes: [
        // One statement.
        (name) => send('POST', 'products/', { name, price: '1.00' }),
        // A transaction, as the scope has a say after it.
        (note) => send('POST', 'orders/', { customer_id: customer, note }, { 'x-customer-id': customer }),
      ],
    })
    await expectTrue(
      load,
      server.url,
      `select name as text from products where name like 'w%-%-0' union all select note from orders where note like 'w%-%-1'`,
    )
    shop.child.kill('SIGTERM')
    expect(await shop.ended, shop.output()).toBe(0)
  })

  const drivers = postgresDrivers.filter((driver) => driver !== 'postgres.js')
  it.each(drivers)('loses nothing of a service with hooks, with %s', { timeout: 180_000 }, async (driver) => {
    server = await startPostgres({ fsync: true })
    const client = new pg.Client(server.url)
    await client.connect()
    await client.query(createThings)
    await client.end()
    const hooks = { afterCreate: () => undefined }
    const [plain, hooked] = [
      await startThings(driver, { url: server.url, max: 8 }),
      await startThings(driver, { url: server.url, max: 8 }, hooks),
    ]
    const load = await restarted(driver, server, {
      reads: [() => plain.send('GET', '/things/?limit=5')],
      writes: [plain, hooked].map((service) => (name: string) => service.send('POST', '/things/', { name })),
    })
    await expectTrue(load, server.url, 'select name as text from things')
    await plain.stop()
    await hooked.stop()
  })
})
