import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import Fastify from 'fastify'
import {
  calculateJwkThumbprint,
  createRemoteJWKSet,
  customFetch,
  decodeProtectedHeader,
  type JSONWebKeySet,
  jwtVerify,
} from 'jose'
import { afterEach, describe, expect, it } from 'vitest'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { usersTable } from '../../../src/entry/drizzle-sqlite.ts'
import { ModelRest } from '../../../src/entry/fastify.ts'
import { defineSettings, type ServiceAuth } from '../../../src/index.ts'
import { newAlgorithms, plainAlgorithms } from '../../auth/tokens-sample.ts'
import { naming } from '../../naming.ts'
import { needing } from '../../needed-program.ts'
import { pythonWithJwt } from '../../programs.ts'
import { ada, describeServices, registered, startFastify } from '../../stage/auth-service.ts'
import { refreshing, statuses } from '../../stage/stateful.ts'

const path = '/api/.well-known/jwks.json'
const pairs = plainAlgorithms.filter(({ algorithm }) => !algorithm.startsWith('HS'))
const expected = { issuer: 'service', audience: 'service-api' }

const keyOf = (algorithm: string, among = plainAlgorithms): string =>
  among.find((known) => known.algorithm === algorithm)?.key ?? ''

describeServices('the public keys', (serve) => {
  it.each(pairs)(
    'checklist 39: jose verifies a token of $algorithm with them',
    async ({ algorithm, key }) => {
      const { send, ...service } = await serve({ JWT_ALGORITHM: algorithm, JWT_SECRET: key, JWKS: true })
      const { access, refresh } = await registered({ send })
      const reply = await send('GET', path)
      expect(reply.status).toBe(200)
      expect(reply.headers).toMatchObject({
        ...{ 'content-type': 'application/jwk-set+json', 'cache-control': 'public, max-age=300' },
      })
      const { keys } = reply.json as unknown as JSONWebKeySet
      expect(keys).toEqual([expect.objectContaining({ alg: algorithm, use: 'sig' })])
      const [jwk = {}] = keys
      expect(jwk.kid).toBe(await calculateJwkThumbprint(jwk, 'sha256'))
      for (const secret of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'key_ops'])
        expect(jwk).not.toHaveProperty(secret)
      const found = createRemoteJWKSet(new URL(`http://localhost${path}`), {
        [customFetch]: async (url: string) => {
          const { text, headers } = await send('GET', new URL(url).pathname, {
            headers: { accept: 'application/json' },
          })
          return new Response(text, { headers })
        },
      })
      for (const token of [access, refresh]) {
        const { payload, protectedHeader } = await jwtVerify(token, found, {
          ...expected,
          algorithms: [algorithm],
        })
        expect([payload.sub, protectedHeader.kid]).toEqual(['1', jwk.kid])
      }
      const [head = '', claims = '', signature = ''] = access.split('.')
      await expect(
        jwtVerify(`${head}.${claims.slice(0, -1)}A.${signature}`, found, expected),
      ).rejects.toThrow()
      expect(Object.keys(service.rest.openapi().paths ?? {})).toContain('/.well-known/jwks.json')
      expect((await send('HEAD', path)).status).toBe(200)
    },
  )

  it('are published only with JWKS: true, and a token without a key pair has no kid', async () => {
    const { send } = await serve({ JWT_ALGORITHM: 'ES256', JWT_SECRET: keyOf('ES256') })
    expect((await send('GET', path)).status).toBe(404)
    const plain = await serve()
    expect(decodeProtectedHeader((await registered(plain)).access)).toEqual({ alg: 'HS256', typ: 'JWT' })
  })

  it.each(['HS256', 'HS384', 'HS512'])(
    'are none of %s, whose secret must stay one',
    async (JWT_ALGORITHM) => {
      await expect(serve({ JWT_ALGORITHM, JWKS: true })).rejects.toMatchObject({
        name: 'StartError',
        message: expect.stringMatching(naming('SERVICE_AUTH.JWKS', JWT_ALGORITHM, 'ES256')),
      })
    },
  )
})

describe('checklist 39: a rotation of keys over two servers', () => {
  const start = startFastify
  const stops: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const stop of stops.splice(0).reverse()) await stop()
  })

  it.each(['RS256', 'ES256', 'EdDSA'])('logs nobody out, with %s', async (algorithm) => {
    const [old, next] = [keyOf(algorithm), keyOf(algorithm, newAlgorithms('another'.repeat(20)))]
    const settingsOf = (JWT_SECRET: string, JWT_PREVIOUS_KEYS: readonly string[]) => ({
      settings: {
        SERVICE_AUTH: { JWT_ALGORITHM: algorithm, JWT_SECRET, JWT_PREVIOUS_KEYS, JWKS: true },
      },
    })
    const first = await start(settingsOf(old, [next]))
    stops.push(first.stop)
    const second = await first.another(settingsOf(next, [old, next]))
    stops.push(second.stop)
    const session = await registered(first)
    const another = await registered(second, { ...ada, email: 'bob@example.com', username: 'bob' })
    const kids = await Promise.all(
      [first, second].map(async ({ send }) => {
        const { keys } = (await send('GET', path)).json as unknown as JSONWebKeySet
        return keys.map(({ kid }) => kid)
      }),
    )
    expect(kids[0]).toEqual(kids[1]?.toReversed())
    expect(new Set(kids.flat()).size).toBe(2)
    expect([session, another].map(({ access }) => decodeProtectedHeader(access).kid)).toEqual(kids[0])
    for (const service of [first, second])
      for (const { access, refresh } of [session, another]) {
        expect(await statuses(service, access)).toEqual([200, 200])
        expect((await refreshing(service, refresh)).status).toBe(200)
      }
    const third = await first.another(settingsOf(next, []))
    stops.push(third.stop)
    expect(await statuses(third, session.access)).toEqual([401, 401])
    expect(await statuses(third, another.access)).toEqual([200, 200])
  })
})

/** Verifies a token by the keys at a URL, and prints its subject. */
const python = `
import sys, jwt
url, token, algorithm = sys.argv[1:]
key = jwt.PyJWKClient(url).get_signing_key_from_jwt(token)
print(jwt.decode(token, key.key, algorithms=[algorithm], audience="service-api", issuer="service")["sub"])
`

needing('pyjwt', 'the public keys over the network', () => {
  const interpreter = pythonWithJwt() ?? ''
  const servers: { close(): unknown }[] = []
  afterEach(async () => {
    for (const server of servers.splice(0).reverse()) await server.close()
  })

  const listen = async (serviceAuth: ServiceAuth) => {
    const client = new Database(':memory:')
    client.exec(`create table users (id integer primary key autoincrement, email text not null unique,
      username text unique, name text, password text not null, is_active integer not null default 1,
      created_at integer not null default (unixepoch()))`)
    const app = Fastify()
    servers.push(client, app)
    const rest = new ModelRest(app, {
      ...{ models: drizzleModels(drizzle({ client }), { users: usersTable }), auth: true, controllers: [] },
      settings: defineSettings({ SERVICE_AUTH: { ...serviceAuth, JWKS: true } }),
    })
    await rest.init()
    client.prepare("insert into users (email, password) values (?, '')").run(ada.email)
    return { url: await app.listen({ port: 0 }), issued: await rest.issueTokens(1) }
  }

  it.each(['RS256', 'PS256', 'ES256', 'ES512', 'EdDSA'])(
    'checklist 39: PyJWT verifies a token of %s',
    async (algorithm) => {
      const { url, issued } = await listen({ JWT_ALGORITHM: algorithm, JWT_SECRET: keyOf(algorithm) })
      const { stdout } = await promisify(execFile)(interpreter, [
        ...['-c', python, `${url}/.well-known/jwks.json`, issued.access, algorithm],
      ])
      expect(stdout.trim()).toBe('1')
    },
  )
})
