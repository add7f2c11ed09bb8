import { readdirSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { HttpError } from '../../src/error/errors.ts'
import { toOpenApi } from '../../src/openapi/document.ts'
import { callOf, documentation, replyOf, textOf } from './call.ts'
import { samples } from './samples.ts'

const at = (path: string, headers: Record<string, string> = {}) => callOf(path, { headers })

test('/openapi.json is the document', async () => {
  const { openapi } = documentation()
  const reply = await replyOf(openapi, at('/api/openapi.json'))
  expect(reply).toMatchObject({
    status: 200,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
    },
  })
  expect(JSON.parse(textOf(reply))).toEqual(toOpenApi(samples, { base: '/api', title: 'A <b> & "c"' }, []))
})

test('the document is asked for with the first request', async () => {
  const { openapi, built } = documentation()
  expect(built.times).toBe(0)
  await replyOf(openapi, at('/api/openapi.json'))
  expect(built.times).toBe(1)
  await replyOf(openapi, at('/api/openapi.json/'))
  expect(built.times).toBe(1)
})

test.each(['*', 'the etag', 'W/ and the etag', 'a list with the etag'])(
  'If-None-Match: %s is a 304',
  async (form) => {
    const { openapi } = documentation()
    const etag = (await replyOf(openapi, at('/api/openapi.json'))).headers['etag'] as string
    const value = { '*': '*', 'the etag': etag, 'W/ and the etag': `W/${etag}` }[form] ?? `"x", ${etag}`
    const reply = await replyOf(openapi, at('/api/openapi.json', { 'if-none-match': value }))
    expect(reply).toEqual({
      status: 304,
      headers: { etag, vary: 'accept-encoding', 'cache-control': 'no-cache' },
      body: undefined,
    })
  },
)

test('another ETag is a 200', async () => {
  const { openapi } = documentation()
  const reply = await replyOf(openapi, at('/api/openapi.json', { 'if-none-match': '"x"' }))
  expect(reply.status).toBe(200)
})

test('who takes gzip gets it, under an ETag of its own', async () => {
  const { openapi } = documentation()
  const plain = await replyOf(openapi, at('/api/openapi.json'))
  const zipped = await replyOf(openapi, at('/api/openapi.json', { 'accept-encoding': 'gzip, deflate, br' }))
  expect(zipped.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
  expect(zipped.headers['etag']).not.toBe(plain.headers['etag'])
  expect(gunzipSync(zipped.body as Uint8Array).toString()).toBe(textOf(plain))
})

test.each(['identity', 'br', 'gzip;q=0'])('who takes %s gets it plain', async (accepted) => {
  const { openapi } = documentation()
  const reply = await replyOf(openapi, at('/api/openapi.json', { 'accept-encoding': accepted }))
  expect(reply.headers).not.toHaveProperty('content-encoding')
})

test.each(['/docs', '/docs/', '/api/docs', '/a/b/docs/'])(
  'every address in the page at %s leads to us',
  async (path) => {
    const { docs, asset } = documentation()
    const page = textOf(await replyOf(docs, at(path)))
    const prefix = path.replace(/docs\/?$/, '')
    const addresses = [...page.matchAll(/(?:src|href|data-document)="([^"]*)"/g)].map(
      ([, address]) => address ?? '',
    )
    const found = addresses
      .filter((address) => address !== 'data:,')
      .map((address) => new URL(address, `http://host${path}`))
    expect(found.map(({ origin, pathname }) => origin + pathname)).toEqual([
      `http://host${prefix}docs/swagger-ui.css`,
      `http://host${prefix}docs/page.css`,
      `http://host${prefix}openapi.json`,
      `http://host${prefix}openapi.json`,
      `http://host${prefix}docs/swagger-ui-bundle.js`,
      `http://host${prefix}docs/initialise.js`,
    ])
    for (const { pathname, search } of found.filter(({ pathname }) => !pathname.endsWith('.json'))) {
      const params = { asset: pathname.split('/').at(-1) ?? '' }
      const reply = await replyOf(asset, callOf(pathname, { params, query: search.slice(1) }))
      expect(reply.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    }
  },
)

test('the page escapes the title and has no inline script', async () => {
  const page = textOf(await replyOf(documentation().docs, at('/api/docs')))
  expect(page).toContain('<title>A &#60;b&#62; &#38; &#34;c&#34;</title>')
  expect(page).not.toMatch(/<script(?![^>]*\ssrc=)|\son\w+=|\sstyle=|javascript:/)
})

test('a logo heads the page and is its icon, escaped', async () => {
  const page = textOf(await replyOf(documentation(undefined, { logo: '/a"b>.svg' }).docs, at('/api/docs')))
  expect(page).toContain(' href="/a&#34;b&#62;.svg">')
  expect(page).toContain('<img src="/a&#34;b&#62;.svg" alt="A &#60;b&#62; &#38; &#34;c&#34;">')
  expect(page).not.toContain('branded')
  expect(textOf(await replyOf(documentation().docs, at('/api/docs')))).not.toContain('<img')
})

test.each([
  ['#0b6e4f', '#fff'],
  ['#FD5', '#000'],
])('the colour %s is in the style, with a colour of text that can be read on it', async (color, text) => {
  const { docs, asset } = documentation(undefined, { color })
  expect(textOf(await replyOf(docs, at('/api/docs')))).toContain('<body class="branded">')
  const style = textOf(await replyOf(asset, callOf('/docs/page.css', { params: { asset: 'page.css' } })))
  expect(style).toContain(`--brand: ${color}; --on-brand: ${text};`)
})

test('the page allows itself its own scripts and requests, and nothing else', async () => {
  const { headers } = await replyOf(documentation().docs, at('/api/docs'))
  expect(headers['content-security-policy']).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; " +
      "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  )
})

test('the page may send requests to the servers of the document', async () => {
  const servers = [
    { url: '/v2' },
    { url: 'https://api.shop.test:8443/v2' },
    { url: 'https://api.shop.test:8443/v3' },
    { url: 'https://{tenant}.shop.test' },
    { url: "http://evil.test; script-src 'unsafe-inline'" },
  ]
  const { headers } = await replyOf(documentation(servers).docs, at('/api/docs'))
  expect(headers['content-security-policy']).toContain(
    "; connect-src 'self' https://api.shop.test:8443 https: http:; base-uri 'none'",
  )
})

test.each([
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['page.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['initialise.js', 'text/javascript; charset=utf-8'],
  ['samples.js', 'text/javascript; charset=utf-8'],
  ['session.js', 'text/javascript; charset=utf-8'],
])('%s is served in both codings, to be asked for again', async (name, type) => {
  const { asset } = documentation()
  const call = (headers: Record<string, string>) =>
    callOf(`/api/docs/${name}`, { params: { asset: name }, headers })
  const plain = await replyOf(asset, call({}))
  const zipped = await replyOf(asset, call({ 'accept-encoding': 'gzip' }))
  expect(plain.headers).toMatchObject({
    'content-type': type,
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
  })
  expect(gunzipSync(zipped.body as Uint8Array).equals(plain.body as Uint8Array)).toBe(true)
})

test.each(['', 'LICENSE', '..%2Fassets.ts', 'constructor', 'swagger-ui.css.gz'])(
  'the file %j is a 404',
  async (name) => {
    const { asset } = documentation()
    const call = callOf(`/api/docs/${name}`, { params: { asset: name } })
    await expect(replyOf(asset, call)).rejects.toThrow(
      expect.objectContaining({ status: 404, code: 'not_found' }),
    )
    await expect(replyOf(asset, call)).rejects.toThrow(HttpError)
  },
)

test('the viewer comes with its licences', () => {
  const files = readdirSync(new URL('../../src/openapi/viewer/swagger-ui/', import.meta.url))
  expect(files.sort()).toEqual([
    'LICENSE',
    'NOTICE',
    'swagger-ui-bundle.js.LICENSE.txt',
    'swagger-ui-bundle.js.gz',
    'swagger-ui.css.gz',
  ])
})
