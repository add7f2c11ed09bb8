import { createHash } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { controllerFor, defineSettings, StorageError } from '../../../src/index.ts'
import { naming } from '../../naming.ts'
import { memoryStorage } from '../../upload/memory-storage.ts'
import { samples } from '../../upload/samples.ts'
import { startError } from '../start-error.ts'
import { type ReadingOptions, type ReadingStage, startReading } from './reading-stage.ts'

const text = { field: 'content', type: 'text/plain', bytes: samples.text }
const png = { field: 'cover', type: 'image/png', bytes: samples.png }
const html = { field: 'content', type: 'text/html', bytes: samples.html }

const last = (key: string): string => key.slice(key.lastIndexOf('/') + 1)

describe('files', () => {
  const start = startReading
  const stops: (() => Promise<void>)[] = []
  afterEach(async () => {
    vi.restoreAllMocks()
    for (const stop of stops.splice(0)) await stop()
  })

  const open = async (options?: ReadingOptions) => {
    const stage = await start(options)
    stops.push(stage.stop)
    return stage
  }

  /** A document with two files. */
  const withDocument = async (options?: ReadingOptions) => {
    const stage = await open(options)
    const [content, cover] = [await stage.put(text), await stage.put(png)]
    stage.insert({ id: 7, title: 'One', owner: 'ann', content, cover })
    return {
      stage,
      content,
      cover,
      contentUrl: `/api/media/documents/7/content/${last(content)}`,
      coverUrl: `/api/media/documents/7/cover/${last(cover)}`,
    }
  }
  const shown = async (stage: ReadingStage, path = '/api/documents/7', headers = {}) =>
    (await stage.send('GET', path, { headers })).json

  describe('in replies', () => {
    it('have the path where they are served, and null where there is none', async () => {
      const { stage, contentUrl, coverUrl } = await withDocument()
      const document = {
        id: 7,
        title: 'One',
        owner: 'ann',
        content: contentUrl,
        cover: coverUrl,
        draft: null,
      }
      expect(await shown(stage)).toEqual(document)
      expect(await shown(stage, '/api/documents/')).toEqual({
        items: [document],
        count: 1,
        count_exact: true,
      })
      expect(await shown(stage, '/api/documents/?fields=cover')).toMatchObject({
        items: [{ id: 7, cover: coverUrl }],
      })
    })

    it('have it after a change too', async () => {
      const { stage, contentUrl, coverUrl } = await withDocument()
      const json = { 'content-type': 'application/json' }
      const changed = await stage.send('PATCH', '/api/documents/7', {
        headers: json,
        body: '{"title":"Two"}',
      })
      expect(changed.json).toMatchObject({ title: 'Two', content: contentUrl, cover: coverUrl })
      const replaced = await stage.send('PUT', '/api/documents/7', {
        headers: json,
        body: '{"title":"Three"}',
      })
      expect(replaced.json).toMatchObject({ title: 'Three', content: contentUrl, cover: coverUrl })
    })

    it.each([
      ['https://files.example.com/of/shop', 'https://files.example.com/of/shop/'],
      ['https://files.example.com', 'https://files.example.com/'],
      ['HTTP://Files.Example.COM:8080/Ä/', 'http://files.example.com:8080/%C3%84/'],
      ['http://[::1]/', 'http://[::1]/'],
      ['/elsewhere/', '/elsewhere/'],
      ['/Ä', '/%C3%84/'],
      ['/', '/'],
    ])('begin with the MEDIA_URL %j, whatever host the request names', async (MEDIA_URL, url) => {
      const { stage, content } = await withDocument({ settings: defineSettings({ MEDIA_URL }) })
      const hosts = { host: 'other.example', 'x-forwarded-host': 'other.example', 'x-forwarded-proto': 'ftp' }
      const path = `documents/7/content/${last(content)}`
      expect((await shown(stage, '/api/documents/7', hosts))['content']).toBe(url + path)
      expect(await shown(stage, '/api/documents/?fields=content', hosts)).toMatchObject({
        items: [{ content: url + path }],
      })
      // A CDN or proxy gets the files here.
      expect((await stage.send('GET', `/api/media/${path}`)).text).toBe('Hello, world.\n')
    })

    it.each([
      [undefined, 'uri-reference', '/media/'],
      ['/elsewhere/', 'uri-reference', '/media/'],
      ['https://files.example.com/', 'uri', 'https://files.example.com/'],
    ])('are documented as what they are with the MEDIA_URL %j', async (MEDIA_URL, format, start) => {
      const { stage } = await withDocument({
        settings: defineSettings(MEDIA_URL === undefined ? {} : { MEDIA_URL }),
      })
      const { components, paths } = (await stage.send('GET', '/api/openapi.json')).json as {
        readonly components: { readonly schemas: Record<string, { readonly properties: object }> }
        readonly paths: object
      }
      for (const name of ['DocumentDetail', 'DocumentList'])
        expect(components.schemas[name]?.properties).toMatchObject({ content: { format }, cover: { format } })
      expect(JSON.stringify(paths)).toContain(`"content":"${start}documents/1/`)
    })

    it('are not promised to be absolute where the storage makes them', async () => {
      const storage = Object.assign(memoryStorage(), { signedUrl: async (key: string) => `/bucket/${key}` })
      const { stage } = await withDocument({
        storage,
        settings: defineSettings({ MEDIA_URL: 'https://files.example.com/' }),
      })
      const document = (await stage.send('GET', '/api/openapi.json')).json as unknown
      expect(document).toMatchObject({
        components: { schemas: { DocumentDetail: { properties: { content: { format: 'uri-reference' } } } } },
      })
      expect((await shown(stage))['content']).toMatch(/^\/bucket\//)
    })

    it.each([
      ...['media', 'ftp://files', '//files', '/\\files', '/a?b', '/a b/', '', 'https://', 'https:files'],
      ...['https://files/a?b=c', 'https://files/#a', 'https://files/?', 'https://ann:secret@files/'],
      ...[
        'https://ann@files/',
        'https://files:x/',
        'https://files/a//b',
        'javascript:alert(1)',
        'https:\\\\files',
      ],
    ])('refuse the MEDIA_URL %j', async (given) => {
      await expect(start({ settings: defineSettings({ MEDIA_URL: given }) })).rejects.toThrow(
        startError('MEDIA_URL', '/media/', 'https://files.example.com/'),
      )
    })

    it('have it where a hook gave the record, but for what the hook put in its place', async () => {
      const { stage, contentUrl } = await withDocument({
        controllers: [
          controllerFor('Document', {
            afterList: (_request: unknown, records: readonly object[]) =>
              records.map((record) => ({ ...record, cover: 'masked', added: 1 })),
            afterUpdate: (_request: unknown, record: object) => ({ ...record, cover: null }),
          } as never),
        ],
      })
      expect(await shown(stage, '/api/documents/')).toMatchObject({
        items: [{ content: contentUrl, cover: 'masked', added: 1 }],
      })
      const headers = { 'content-type': 'application/json' }
      const changed = await stage.send('PATCH', '/api/documents/7', { headers, body: '{"title":"Two"}' })
      expect(changed.json).toMatchObject({ content: contentUrl, cover: null })
    })

    it('are found below a composite key', async () => {
      const { stage, content } = await withDocument()
      stage.database.prepare('insert into pages values (?, ?, ?)').run('a,b/c', 2, content)
      const { scan } = await shown(stage, '/api/pages/a%2Cb%2Fc,2')
      expect(scan).toBe(`/api/media/pages/a%2Cb%2Fc,2/scan/${last(content)}`)
      expect((await stage.send('GET', String(scan))).text).toBe('Hello, world.\n')
    })

    it('touch no storage', async () => {
      const { stage } = await withDocument()
      const before = stage.storage.calls.length
      await shown(stage)
      await shown(stage, '/api/documents/')
      expect(stage.storage.calls.length).toBe(before)
    })
  })

  describe('are served', () => {
    it('with what they are, and nothing that a browser could run', async () => {
      const { stage, contentUrl, coverUrl, content } = await withDocument()
      const reply = await stage.send('GET', contentUrl)
      expect([reply.status, reply.text]).toEqual([200, 'Hello, world.\n'])
      expect(reply.headers).toEqual({
        'content-type': 'text/plain; charset=utf-8',
        'content-length': '14',
        'content-disposition': `inline; filename=${last(content)}`,
        'content-security-policy': expect.stringContaining("default-src 'none'"),
        'x-content-type-options': 'nosniff',
        'accept-ranges': 'bytes',
        'cache-control': 'no-cache',
        'last-modified': expect.any(String),
        etag: `"${createHash('sha256').update(samples.text).digest('base64url')}"`,
      })
      const picture = await stage.send('GET', coverUrl)
      expect([picture.headers['content-type'], picture.bytes]).toEqual(['image/png', samples.png])
      stage.insert({ id: 8, title: 'Two', content: await stage.put(html) })
      const page = await stage.send('GET', String((await shown(stage, '/api/documents/8'))['content']))
      expect(page.headers['content-disposition']).toMatch(/^attachment; filename=\w+\.html$/)
      expect(page.headers['content-type']).toBe('application/octet-stream')
    })

    it('in parts', async () => {
      const { stage, contentUrl } = await withDocument()
      const part = await stage.send('GET', contentUrl, { headers: { range: 'bytes=7-11' } })
      expect([part.status, part.text, part.headers['content-range'], part.headers['content-length']]).toEqual(
        [...[206, 'world', 'bytes 7-11/14', '5']],
      )
      const none = await stage.send('GET', contentUrl, { headers: { range: 'bytes=14-' } })
      expect([none.status, none.headers['content-range'], none.json]).toEqual([
        416,
        'bytes */14',
        expect.objectContaining({ code: 'range_not_satisfiable', detail: expect.stringMatching(naming(14)) }),
      ])
    })

    it('only where the client does not have them, which opens no file', async () => {
      const { stage, contentUrl } = await withDocument()
      const { headers } = await stage.send('GET', contentUrl)
      const opened = () => stage.storage.calls.filter((call) => call.startsWith('open')).length
      const before = opened()
      const same = await stage.send('GET', contentUrl, { headers: { 'if-none-match': String(headers.etag) } })
      expect([same.status, same.bytes.length, same.headers.etag]).toEqual([304, 0, headers.etag])
      const head = await stage.send('HEAD', contentUrl)
      expect([head.status, head.headers, head.bytes.length]).toEqual([200, headers, 0])
      expect(opened()).toBe(before)
    })

    it('empty as well', async () => {
      const { stage } = await withDocument()
      stage.insert({ id: 8, title: 'Two', content: await stage.put({ ...text, bytes: samples.empty }) })
      const reply = await stage.send('GET', String((await shown(stage, '/api/documents/8'))['content']))
      expect([reply.status, reply.bytes.length, reply.headers['content-length']]).toEqual([200, 0, '0'])
    })

    it('as long as their record holds them, and no longer', async () => {
      const { stage, content, contentUrl, coverUrl } = await withDocument()
      const other = await stage.put(text)
      stage.database.prepare('update documents set content = ?').run(other)
      expect((await stage.send('GET', contentUrl)).status).toBe(404)
      expect((await stage.send('GET', contentUrl.replace(last(content), last(other)))).status).toBe(200)
      stage.database.exec('delete from documents')
      expect((await stage.send('GET', coverUrl)).status).toBe(404)
    })

    it('from the record that the path names alone', async () => {
      const { stage, content, contentUrl } = await withDocument()
      stage.insert({ id: 8, title: 'Two' })
      const before = stage.storage.calls.length
      const own = last(content)
      for (const path of [
        ...[`documents/8/content/${own}`, `documents/7/cover/${own}`, `documents/7/draft/${own}`],
        ...[`documents/7/title/${own}`, `documents/7/nothing/${own}`, `documents/x/content/${own}`],
        ...['documents/7/content/other.txt', 'documents/7/title/One'],
        ...[`documents/7/content/${encodeURIComponent(content)}`],
        ...[`documents/7/content/..%2F${own}`, `documents/7/draft/null`, `documents/7/constructor/name`],
      ]) {
        const reply = await stage.send('GET', `/api/media/${path}`)
        expect([path, reply.status, reply.headers['content-type']]).toEqual([
          path,
          404,
          'application/problem+json',
        ])
      }
      expect(stage.storage.calls.length).toBe(before)
      const wrong = await stage.send('GET', `${contentUrl}?v=2`)
      expect([wrong.status, wrong.json['code']]).toEqual([400, 'unknown_parameter'])
      expect((await stage.send('DELETE', contentUrl)).headers['allow']).toBe('GET, HEAD')
    })

    it('of fields that callers can read alone', async () => {
      const { stage, contentUrl } = await withDocument({
        modelConfig: { Document: { writeOnly: ['content'] } },
      })
      expect((await stage.send('GET', contentUrl)).status).toBe(404)
      expect(await shown(stage)).not.toHaveProperty('content')
    })

    it('404 where the storage has lost one, which the log tells', async () => {
      const { stage, content, contentUrl } = await withDocument()
      await stage.storage.delete(content)
      expect((await stage.send('GET', contentUrl)).status).toBe(404)
      expect(JSON.stringify(stage.log)).toMatch(naming(contentUrl))
    })

    it('503 where the storage is away', async () => {
      vi.spyOn(process.stderr, 'write').mockReturnValue(true)
      const { stage, contentUrl } = await withDocument()
      for (const act of ['stat', 'open'] as const) {
        vi.spyOn(stage.storage, act).mockRejectedValueOnce(
          new StorageError('unavailable', new Error('secret')),
        )
        const reply = await stage.send('GET', contentUrl)
        expect([reply.status, reply.headers['retry-after'], reply.json['code']]).toEqual([
          503,
          '5',
          'unavailable',
        ])
        expect(reply.text).not.toContain('secret')
      }
    })

    it('in the synchronous mode too', async () => {
      const { stage, contentUrl } = await withDocument({ isAsync: false })
      expect((await shown(stage))['content']).toBe(contentUrl)
      expect((await stage.send('GET', contentUrl)).text).toBe('Hello, world.\n')
    })
  })

  describe('in JSON bodies', () => {
    const headers = { 'content-type': 'application/json' }

    it('take the URL that was shown, and change nothing', async () => {
      const { stage, content, contentUrl } = await withDocument()
      const body = JSON.stringify(await shown(stage))
      for (const method of ['PUT', 'PATCH']) {
        const sent =
          method === 'PUT' ? body : JSON.stringify({ content: `${contentUrl}?expires=1&signature=x` })
        const reply = await stage.send(method, '/api/documents/7', { headers, body: sent })
        expect([reply.status, reply.json['content']], reply.text).toEqual([200, contentUrl])
      }
      expect(stage.database.prepare('select content from documents').pluck().get()).toBe(content)
    })

    it('take null, which takes the file away', async () => {
      const { stage, contentUrl } = await withDocument()
      const reply = await stage.send('PATCH', '/api/documents/7', { headers, body: '{"content":null}' })
      expect([reply.status, reply.json['content']]).toEqual([200, null])
      expect((await stage.send('GET', contentUrl)).status).toBe(404)
    })

    it('take nothing else', async () => {
      const { stage, content, cover, contentUrl, coverUrl } = await withDocument()
      for (const sent of [content, last(content), coverUrl, '', 'x', { key: cover }, 1, `${contentUrl}/`]) {
        for (const [method, more] of [
          ['PATCH', {}],
          ['PUT', { title: 'One' }],
        ] as const) {
          const body = JSON.stringify({ ...more, content: sent })
          const reply = await stage.send(method, '/api/documents/7', { headers, body })
          expect([reply.status, reply.json['errors']], body).toEqual([
            422,
            [expect.objectContaining({ pointer: '/content' })],
          ])
        }
      }
      const body = JSON.stringify({ title: 'New', content })
      expect((await stage.send('POST', '/api/documents/', { headers, body })).status).toBe(422)
      const nobody = await stage.send('PATCH', '/api/documents/9', { headers, body: '{"content":"x"}' })
      expect(nobody.status).toBe(404)
    })

    it('take the URL of a read-only file back', async () => {
      const { stage, contentUrl } = await withDocument({
        modelConfig: { Document: { readOnly: ['content'] } },
      })
      const put = (content: string | null) =>
        stage.send('PUT', '/api/documents/7', { headers, body: JSON.stringify({ title: 'Two', content }) })
      expect([(await put(contentUrl)).status, (await put('/x')).status, (await put(null)).status]).toEqual([
        200, 422, 422,
      ])
    })
  })
})
