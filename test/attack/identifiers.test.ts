import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type ControllerClass, controllerFor } from '../../src/index.ts'
import { ada, describeServices, loggedIn, registered } from '../stage/auth-service.ts'
import { inTest } from '../stage/service.ts'
import { type Options, type Stage, startUsers } from '../stage/users.ts'

const { email, password } = ada

/** Characters of each category, at the ends of planes as well. */
const unseen = [
  ...['\u0001', '\u0007', '\t', '\n', '\r', '\r\n', '\u001f', '\u007f', '\u0085', '\u009f'],
  ...['\u00ad', '\u061c', '\u200b', '\u200d', '\u200e', '\u202e', '\u2060', '\u2066', '\ufeff', '\ufff9'],
  ...['\u{e0001}', '\u{e0041}', '\u{1d173}', '\u{110bd}', '\u2028', '\u2029'],
]
const halves = ['\ud800', '\udc00']

describeServices('an identifier that cannot be seen', (serve) => {
  it('registers nobody, and is nobody at a login', async () => {
    const service = await serve({ REGISTER_MAX_PER_ADDRESS: 1 })
    for (const character of [...unseen, ...halves]) {
      for (const name of ['email', 'username'] as const) {
        for (const value of [
          `a${character}da@example.org`,
          `${character}ada@example.org`,
          `ada@example.org${character}`,
        ]) {
          const body = { email, password, [name]: value }
          const reply = await service.send('POST', '/api/auth/register', { body })
          expect(reply.json).toMatchObject({
            ...{ status: 422, code: 'invalid_body' },
            errors: [{ pointer: `/${name}`, code: 'invalid_format' }],
          })
        }
      }
    }
    for (const character of ['\u0007', '\u200b', '\u2028', '\ud800'])
      expect((await loggedIn(service, { login: `a${character}da`, password })).status).toBe(401)
    expect(await service.rows('select id from users')).toEqual([])
  })

  it('of a user who is there already still means that user', async () => {
    const service = await serve()
    await registered(service)
    const before = 'a\u200bda@example.com'
    await service.execute(`update users set email = '${before}', username = null`)
    expect((await loggedIn(service, { email: before, password })).status).toBe(200)
    expect((await loggedIn(service)).status).toBe(401)
  })

  it('is refused by the document as well, in requests and not in replies', async () => {
    const { rest } = await serve()
    const { components } = rest.openapi() as unknown as {
      components: { schemas: Record<string, { properties: Record<string, { pattern?: string }> }> }
    }
    const { RegisterRequest } = components.schemas
    for (const name of ['email', 'username']) {
      const pattern = new RegExp(RegisterRequest?.properties[name]?.pattern ?? '$^')
      for (const character of unseen.filter((one) => /\p{Cc}/u.test(one)))
        expect([character, pattern.test(`a${character}`)]).toEqual([character, false])
      expect(pattern.test(' Ada.Ångström@Example.COM ')).toBe(true)
    }
    expect(new RegExp(RegisterRequest?.properties['name']?.pattern ?? '').test('a\u0007')).toBe(true)
    const replies = Object.entries(components.schemas).filter(([name]) => name !== 'RegisterRequest')
    for (const [name, { properties = {} }] of replies)
      if (name !== 'LoginRequest') expect([name, properties['email']?.pattern]).toEqual([name, undefined])
  })
})

describe('the records of users', () => {
  const start = startUsers
  const serving = (options?: Options): Promise<Stage> => inTest(start(options))
  const stored = ({ rows }: Stage) => rows('select email, username from users order by id')
  const asUser = controllerFor as (model: 'User', parts: object) => ControllerClass

  it('take no identifier that cannot be seen, whatever the text around it', async () => {
    const running = await serving({
      controllers: [
        asUser('User', {
          scope: () => ({}),
          permissions: { create: 'authenticated' },
          beforeCreate: (_request: unknown, payload: object) => ({ ...payload, password: 'a hash' }),
        }),
      ],
    })
    const before = await stored(running)
    const text = fc.tuple(
      fc.string({ unit: 'grapheme', maxLength: 5 }),
      fc.constantFrom(...unseen, ...halves),
      fc.string({ unit: 'grapheme', maxLength: 5 }),
    )
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom('email', 'username'), async (parts, name) => {
        const value = parts.join('')
        const body = { email: 'new@example.com', username: 'new', [name]: value }
        for (const [method, path, sent] of [
          ['PATCH', '/users/1', { [name]: value }],
          ['PUT', '/users/1', body],
          ['POST', '/users/', body],
        ] as const) {
          const { json } = await running.send(method, path, 1, sent)
          expect(json).toMatchObject({ status: 422, errors: [{ pointer: `/${name}` }] })
        }
      }),
      { numRuns: 40 },
    )
    expect(await stored(running)).toEqual(before)
    // Another field of a record that has one can be changed.
    await running.rows(`update users set username = 'a\u200bda' where id = 1 returning id`)
    expect((await running.send('PATCH', '/users/1', 1, { name: 'Ada' })).status).toBe(200)
  })

  it('take none from a schema or a hook of the application either', async () => {
    const update = z.object({ name: z.string().optional(), email: z.string().optional() })
    const running = await serving({
      customSchemas: { User: { update } },
      controllers: [
        asUser('User', {
          beforeUpdate: (_request: unknown, _record: object, payload: Record<string, unknown>) =>
            payload['name'] === 'hooked' ? { ...payload, username: 'a\u0007' } : payload,
        }),
      ],
    } as never)
    const before = await stored(running)
    for (const character of unseen) {
      const { json } = await running.send('PATCH', '/users/1', 1, { email: `${character}a@example.com` })
      expect(json).toMatchObject({ status: 422, errors: [{ pointer: '/email', code: 'invalid_format' }] })
    }
    expect((await running.send('PATCH', '/users/1', 1, { name: 'hooked' })).json).toMatchObject({
      ...{ status: 422, errors: [{ pointer: '/username' }] },
    })
    expect(await stored(running)).toEqual(before)
  })
})

it('nothing that cannot be seen comes out of the one form of what can', async () => {
  const { normalised } = await import('../../src/auth/users/identifiers.ts')
  const { isPrintable } = await import('../../src/model/kinds/text.ts')
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const character = String.fromCodePoint(code)
    if (isPrintable(character) && !isPrintable(normalised(`a${character}b`)))
      expect.unreachable(`U+${code.toString(16)}`)
  }
})
