import { expect, test } from 'vitest'
import { testClient } from '../../../src/testing/index.ts'

/** An application that sets cookies and tells which it receives. */
const app = (later: readonly string[]) => ({
  fetch: (request: Request): Response => {
    const { pathname } = new URL(request.url)
    const headers = new Headers({ 'content-type': 'application/json' })
    if (pathname === '/later') for (const line of later) headers.append('set-cookie', line)
    if (pathname !== '/auth/register')
      return Response.json({ cookie: request.headers.get('cookie') }, { headers })
    for (const line of ['all=1; Path=/', 'own=2', 'shop=3; Path=/shop', 'all=4; Path=/shop/cart/'])
      headers.append('set-cookie', line)
    return new Response(JSON.stringify({ access: 'a', refresh: 'r', user: {} }), { status: 201, headers })
  },
})

test.each([
  ['/', 'all=1'],
  ['/auth', 'all=1; own=2'],
  ['/auth/me?next=/shop', 'all=1; own=2'],
  ['/authors', 'all=1'],
  ['/shop?a=1', 'all=1; shop=3'],
  ['/shopping', 'all=1'],
  ['/shop/cart', 'all=1; shop=3'],
  ['/shop/cart/7', 'all=4; all=1; shop=3'],
])('a client with cookies sends to %s only those of its path', async (path, cookies) => {
  const user = await testClient(app([])).as({}, { cookies: true })
  const { json } = await user.get(path)
  expect(String(json['cookie']).split('; ').toSorted()).toEqual(cookies.split('; ').toSorted())
})

test.each([
  ['all=; Path=/; Max-Age=0', null],
  ['all=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT', null],
  ['all=; Path=/shop; Max-Age=0', 'all=1'],
  ['all=5; Path=/; Max-Age=60', 'all=5'],
])('%s deletes or replaces the cookie with its name and path', async (line, cookie) => {
  const user = await testClient(app([line])).as({}, { cookies: true })
  await user.get('/later')
  expect((await user.get('/')).json).toEqual({ cookie })
})
