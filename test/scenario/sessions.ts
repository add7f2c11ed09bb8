import { demoUser } from '../../examples/shop/demo-user.ts'
import type { Transcript } from './transcript.ts'

const bearer = (answer: { readonly json: Readonly<Record<string, unknown>> }): string =>
  `Bearer ${answer.json['access']}`

/** Logs in, and leaves the transcript with a token. */
export const logsIn = async ({ ask, carry }: Transcript): Promise<void> => {
  await ask('products/')
  await ask('auth/me')
  await ask('products/', { headers: { authorization: 'Bearer not.a.token' } })
  await ask('auth/login', { method: 'POST', body: {} })
  await ask('auth/login', { method: 'POST', body: { email: 'nobody@shop.example', password: 'a lamp' } })
  await ask('auth/login', { method: 'POST', body: { ...demoUser, password: 'a lamp for no desk' } })
  const session = await ask('auth/login', { method: 'POST', body: demoUser })
  carry('authorization', bearer(session))
  await ask('auth/me')
}

/** A user who comes, refreshes and goes. */
export const comesAndGoes = async ({ ask }: Transcript): Promise<void> => {
  const user = { email: 'ada@shop.example', name: 'Ada', password: 'nine small lanterns' }
  await ask('auth/register', { method: 'POST', body: { ...user, password: '12345678' } })
  await ask('auth/register', { method: 'POST', body: { ...user, is_active: true } })
  await ask('auth/register', { method: 'POST', body: user })
  await ask('auth/register', { method: 'POST', body: user })
  const { email, password } = user
  const session = await ask('auth/login', { method: 'POST', body: { email, password } })
  const { json: first } = session
  const refreshed = await ask('auth/refresh', { method: 'POST', body: { refresh: first['refresh'] } })
  await ask('auth/refresh', { method: 'POST', body: { refresh: first['access'] } })
  const headers = { authorization: bearer(refreshed) }
  await ask('auth/me', { headers })
  await ask('auth/logout', { method: 'POST', headers, body: { refresh: refreshed.json['refresh'] } })
  await ask('auth/me', { headers })
  await ask('auth/refresh', { method: 'POST', body: { refresh: refreshed.json['refresh'] } })
}
