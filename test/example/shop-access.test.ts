import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { baseUrl, buildShop, type Shop } from '../../examples/shop/app.ts'
import { addDemoUser, demoUser } from '../../examples/shop/demo-user.ts'
import { compareAll, type Rights } from '../stage/access-answers.ts'
import { type Attempt, attemptsIn, inOrder } from './attempts.ts'
import { sqliteOf } from './sqlite-of.ts'

let folder: string
let shop: Shop

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'modelrest-shop-'))
  const secret = 'a secret for tests, of at least 32 bytes'
  shop = await buildShop({ database: join(folder, 'shop.db'), products: 100, secret })
  await addDemoUser(shop.db)
})
afterEach(async () => {
  await shop.app.close()
  rmSync(folder, { recursive: true })
})

type Headers = Readonly<Record<string, string>>

const sendAs = (headers: Headers) => async (method: string, path: string, body?: unknown) => {
  const form = body instanceof FormData ? new Response(body) : undefined
  const reply = await shop.app.inject({
    ...{ method: method as 'GET', url: path },
    headers: { ...headers, ...(form && { 'content-type': form.headers.get('content-type') ?? '' }) },
    ...(body !== undefined && { payload: form ? Buffer.from(await form.arrayBuffer()) : (body as object) }),
  })
  const isJson = reply.headers['content-type']?.includes('json') === true && reply.body !== ''
  return { status: reply.statusCode, text: reply.body, json: isJson ? reply.json() : {} }
}

const tokenOf = async (): Promise<string> => {
  const { json } = await sendAs({})('POST', `${baseUrl}/auth/login`, demoUser)
  return String(json.access)
}

const callers: Readonly<Record<string, (customer: string) => Promise<Headers>>> = {
  anonymous: async () => ({}),
  employee: async () => ({ authorization: `Bearer ${await tokenOf()}` }),
  'an employee for a customer': async (customer) => ({
    ...{ authorization: `Bearer ${await tokenOf()}`, 'x-customer-id': customer },
  }),
}

it.each(Object.keys(callers))('tells %s what each operation meets', async (kind) => {
  const first = (keys: string): string => String(sqliteOf(shop).prepare(`select ${keys}`).pluck().get())
  const customer = first('customer_id from orders where id = 1')
  const send = sendAs((await callers[kind]?.(customer)) ?? {})
  const { json: document } = await sendAs({})('GET', `${baseUrl}/openapi.json`)
  const keys = {
    customers: customer,
    'order-items': first(`order_id || ',' || product_id from order_items`),
    'product-categories': first(`product_id || ',' || category_id from product_categories`),
  }
  const attempts: Attempt[] = [1, 2].flatMap((key) => [
    ...attemptsIn(document, {
      ...{ key, text: 'x', form: () => new FormData() },
      keyIn: (path) => Object.entries(keys).find(([name]) => path.includes(name))?.[1] ?? String(key),
    }),
  ])
  const met = await compareAll(
    document,
    inOrder(attempts),
    async () => (await send('GET', `${baseUrl}/access`)).json.models as Rights,
    ({ method, path, body }) => send(method, path.startsWith(baseUrl) ? path : baseUrl + path, body),
  )
  const onlyMissing = [...met.values()].filter((found) => [...found].join() === 'allowed 404')
  expect([onlyMissing, met.size > 50]).toEqual([[], true])
})
