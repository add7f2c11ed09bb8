import { describe, expect, it } from 'vitest'
import { ada, registered } from '../stage/auth-service.ts'
import { startMailing as start } from '../stage/mail-service.ts'

/** What the service logs where the function that sends the mail fails with this error. */
const loggedWith = async (errorWith: (token: string) => unknown) => {
  const tokens: string[] = []
  const service = await start({
    settings: {
      SERVICE_AUTH: {
        PASSWORD_RESET: true,
        ON_PASSWORD_RESET: (_user, token) => {
          tokens.push(token)
          throw errorWith(token)
        },
      },
    },
  })
  await registered(service)
  await service.send('POST', '/api/auth/password/reset', { body: { email: ada.email } })
  await service.stop()
  const [token = ''] = tokens
  return { token, text: JSON.stringify(service.log.filter(({ level }) => level === 'error')) }
}

const failure = (parts: object): Error => Object.assign(new Error('No mail server.'), parts)

describe('the error of a mail that fails', () => {
  it('checklist 43: is logged, however often it contains the same object', async () => {
    let shared: object = {}
    for (let depth = 0; depth < 60; depth += 1) shared = { one: shared, other: shared }
    // By a symbol, because the logger of this test would write it without end, too.
    expect((await loggedWith(() => failure({ [Symbol('shared')]: shared }))).text).toContain(
      'No mail server.',
    )
  })

  it.each([
    ['a request', (token: string) => failure({ config: { data: `{"text":"${token}"}` } })],
    ['bytes', (token: string) => failure({ body: Buffer.from(`Open ${token}`) })],
    ['a map', (token: string) => failure({ headers: new Map([['x-link', new Set([token])]]) })],
    ['its cause', (token: string) => new Error('No mail server.', { cause: new Error(token) })],
    ['a string', (token: string) => `no mail with ${token}`],
  ])('checklist 43: is not logged where it has the token in %s', async (_where, errorWith) => {
    const { token, text } = await loggedWith(errorWith)
    expect(text).not.toBe('[]')
    expect(text).not.toContain(token)
    expect(text).not.toContain(Buffer.from(token).join(','))
  })

  it.each([
    ['too large to search', () => failure({ all: Array.from({ length: 20_000 }, (_, at) => ({ at })) })],
    ['a revoked proxy', () => failure({ inner: revoked() })],
  ])('checklist 43: is not logged where it is %s', async (_what, errorWith) => {
    const { text } = await loggedWith(errorWith)
    expect(text).not.toBe('[]')
    expect(text).not.toContain('No mail server.')
  })
})

const revoked = (): object => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}
