import { createHash, createHmac, generateKeyPairSync, sign as signWith } from 'node:crypto'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildShop, type Shop } from '../../examples/shop/app.ts'
import { addDemoUser, demoUser } from '../../examples/shop/demo-user.ts'
import { sqliteOf } from './sqlite-of.ts'

const secret = 'the secret of this test, which nobody else knows'
const now = Math.floor(Date.now() / 1000)

type Part = Readonly<Record<string, unknown>>

const encode = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString('base64url')
const hmac = (text: string, key: string): string => createHmac('sha256', key).update(text).digest('base64url')

/** A token that is good, but for what is said otherwise. */
const token = (claims: Part = {}, head: Part = {}, key = secret): string => {
  const good = { iss: 'service', aud: 'service-api', sub: '1', type: 'access', iat: now, exp: now + 600 }
  const text = `${encode({ alg: 'HS256', ...head })}.${encode({ ...good, ...claims })}`
  return `${text}.${hmac(text, key)}`
}

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const signedByRsa = (): string => {
  const jwk = rsa.publicKey.export({ format: 'jwk' })
  const [, payload] = token().split('.')
  const text = `${encode({ alg: 'RS256', jwk })}.${payload}`
  return `${text}.${signWith('sha256', Buffer.from(text), rsa.privateKey).toString('base64url')}`
}

const [head = '', payload = '', signature = ''] = token().split('.')
const bearer = (text: string): readonly string[] => [`Bearer ${text}`]

/** What is sent as `Authorization`, a header each. */
const hostile: Readonly<Record<string, readonly string[]>> = {
  'no header': [],
  'an empty header': [''],
  'no token': ['Bearer'],
  'another scheme': [`Basic ${Buffer.from('demo:demo').toString('base64')}`],
  'a good token in another scheme': [`Token ${token()}`],
  'two headers': [`Bearer ${token()}`, `Bearer ${token()}`],
  'two tokens in one header': [`Bearer ${token()}, Bearer ${token()}`],
  'no JWT': bearer('let-me-in'),
  expired: bearer(token({ exp: now - 120 })),
  'without an end': bearer(token({ exp: undefined })),
  'not yet good': bearer(token({ nbf: now + 600 })),
  'of the future': bearer(token({ iat: now + 600 })),
  'of a foreign issuer': bearer(token({ iss: 'somebody' })),
  'without an issuer': bearer(token({ iss: undefined })),
  'for a foreign audience': bearer(token({ aud: 'another-api' })),
  'without an audience': bearer(token({ aud: undefined })),
  'without a user': bearer(token({ sub: undefined })),
  'for no key of a user': bearer(token({ sub: 'ada' })),
  'a refresh token': bearer(token({ type: 'refresh' })),
  'of no type': bearer(token({ type: undefined })),
  'signed with another secret': bearer(token({}, {}, 'another secret, as long as it has to be')),
  'not signed': bearer(`${encode({ alg: 'none' })}.${payload}.`),
  'not signed, with the signature of another': bearer(`${encode({ alg: 'none' })}.${payload}.${signature}`),
  'without its signature': bearer(`${head}.${payload}.`),
  'with another payload': bearer(
    `${head}.${encode({ sub: '2', type: 'access', exp: now + 600 })}.${signature}`,
  ),
  'with another signature': bearer(
    `${head}.${payload}.${createHash('sha256').update('x').digest('base64url')}`,
  ),
  'of another algorithm': bearer(token({}, { alg: 'HS512' })),
  'in lower case': bearer(token({}, { alg: 'hs256' })),
  'with a key of its own': bearer(signedByRsa()),
  'with a critical header': bearer(token({}, { crit: ['exp'], exp: now })),
  oversized: bearer(token({ padding: 'x'.repeat(9000) })),
}

let shop: Shop
let port: number

beforeAll(async () => {
  shop = await buildShop({ database: ':memory:', products: 100, secret })
  await addDemoUser(shop.db)
  await shop.app.listen({ host: '127.0.0.1', port: 0 })
  port = (shop.app.server.address() as AddressInfo).port
})
afterAll(() => shop.app.close())

/** Over a socket: other ways lose the second of two headers. */
const send = (method: string, path: string, authorization: readonly string[]) =>
  new Promise<{ status: number; authenticate: string | undefined; text: string }>((resolve, reject) => {
    const headers = authorization.flatMap((value) => ['Authorization', value])
    const body = ['POST', 'PUT', 'PATCH'].includes(method) ? '{"name":"Stolen"}' : undefined
    const sized =
      body === undefined ? [] : ['Content-Type', 'application/json', 'Content-Length', String(body.length)]
    const sent = request(
      { ...{ host: '127.0.0.1', port, method, path }, headers: ['Host', 'shop', ...headers, ...sized] },
      (reply) => {
        let text = ''
        reply.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
        })
        reply.once('end', () =>
          resolve({ status: reply.statusCode ?? 0, authenticate: reply.headers['www-authenticate'], text }),
        )
      },
    )
    sent.once('error', reject).end(body)
  })

const rows = (): unknown =>
  ['products', 'categories', 'product_categories', 'customers', 'orders', 'order_items', 'users'].map(
    (table) => sqliteOf(shop).prepare(`select * from ${table}`).all(),
  )

/** A key that a record of the model can have. */
const keyOf = (tag: string | undefined): string =>
  shop.rest.models
    .find(({ name }) => name === tag)
    ?.primaryKey.map(() => '1')
    .join(',') ?? ''

const protectedOperations = () =>
  shop.rest.operations
    .filter(({ caller, id }) => caller !== 'anyone' && id !== 'getAccess')
    .map(({ method, path, tag }) => {
      // Files have no tag: those of categories are the only ones.
      const named = path.replace('{field}', 'image').replace('{name}', 'any.png')
      return { method, path: `/api${named.replace('{id}', keyOf(tag ?? 'Category'))}` }
    })

it('every operation on models, and /auth/me, is protected', () => {
  const open = shop.rest.operations.filter(({ caller }) => caller === 'anyone').map(({ id }) => id)
  expect(open).toEqual(['login', 'register', 'refresh', 'logout'])
  expect(protectedOperations().length).toBeGreaterThan(30)
})

it('a good token is taken', async () => {
  const { id } = sqliteOf(shop).prepare('select id from users where email = ?').get(demoUser.email) as {
    id: number
  }
  const reply = await send('GET', '/api/products/1', bearer(token({ sub: String(id) })))
  expect(reply.status).toBe(200)
})

it.each(Object.entries(hostile))(
  'every protected operation answers 401 to a token %s',
  async (_name, sent) => {
    const before = rows()
    for (const { method, path } of protectedOperations()) {
      const reply = await send(method, path, sent)
      expect([method, path, reply.status]).toEqual([method, path, 401])
      expect(reply.authenticate).toMatch(/^Bearer\b/)
      expect(JSON.parse(reply.text)).toMatchObject({ code: 'unauthenticated', status: 401 })
    }
    expect(rows()).toEqual(before)
  },
)
