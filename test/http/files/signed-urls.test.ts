import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { BaseModelController, controllerFor, defineSettings, StorageError } from '../../../src/index.ts'
import { memoryStorage } from '../../upload/memory-storage.ts'
import { samples } from '../../upload/samples.ts'
import { startError } from '../start-error.ts'
import { callerIn, type ReadingOptions, type ReadingStage, startReading } from './reading-stage.ts'

const auth = { authenticate: callerIn }
const settings = defineSettings({ SECRET_KEY: 'a secret of the tests, with 32 bytes or more' })
const ann = { 'x-user': 'ann' }

/** A moment in the middle of an hour. */
const now = new Date('2026-03-01T10:20:00Z')

describe('URLs of files, with authentication', () => {
  const start = startReading
  const stops: (() => Promise<void>)[] = []
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now })
  })
  afterEach(async () => {
    vi.useRealTimers()
    vi.unstubAllEnvs()
    vi.restoreAllMocks()
    for (const stop of stops.splice(0)) await stop()
  })

  const open = async (options: ReadingOptions = {}) => {
    const stage = await start({ auth, settings, ...options })
    stops.push(stage.stop)
    const key = await stage.put({ field: 'content', type: 'text/plain', bytes: samples.text })
    stage.insert({ id: 7, title: 'One', owner: 'ann', content: key })
    return { stage, key, name: key.slice(key.lastIndexOf('/') + 1) }
  }
  const urlOf = async (stage: ReadingStage, headers: Record<string, string> = ann): Promise<string> =>
    String((await stage.send('GET', '/api/documents/7', { headers })).json['content'])
  const statusOf = async (stage: ReadingStage, path: string, headers = {}) =>
    (await stage.send('GET', path, { headers })).status

  it('are signed, and let anybody read the file', async () => {
    const { stage, name } = await open()
    const url = await urlOf(stage)
    expect(url).toMatch(
      new RegExp(`^/api/media/documents/7/content/${name}\\?expires=1772366400&signature=[\\w-]{22}$`),
    )
    const reply = await stage.send('GET', url)
    expect([reply.status, reply.text]).toEqual([200, 'Hello, world.\n'])
    // To the end of the next hour.
    expect(reply.headers['cache-control']).toBe('private, max-age=6000')
    expect((await stage.send('HEAD', url)).status).toBe(200)
  })

  it('stay the same for an hour, and hold to the end of the next one', async () => {
    const { stage } = await open()
    const url = await urlOf(stage)
    vi.setSystemTime('2026-03-01T10:59:59Z')
    expect(await urlOf(stage)).toBe(url)
    vi.setSystemTime('2026-03-01T11:00:00Z')
    const later = await urlOf(stage)
    expect(later).not.toBe(url)
    vi.setSystemTime('2026-03-01T11:59:59Z')
    expect([await statusOf(stage, url), await statusOf(stage, later)]).toEqual([200, 200])
    vi.setSystemTime('2026-03-01T12:00:00Z')
    expect([await statusOf(stage, url), await statusOf(stage, later)]).toEqual([401, 200])
  })

  it('hold as long as MEDIA_URL_EXP says', async () => {
    const { stage } = await open({
      settings: defineSettings({
        SECRET_KEY: 'another secret, and as long as it has to be',
        MEDIA_URL_EXP: 60,
      }),
    })
    expect(await urlOf(stage)).toContain('?expires=1772360520&')
    expect(() => defineSettings({ MEDIA_URL_EXP: 302_401 })).toThrow(startError('MEDIA_URL_EXP', 302_400))
  })

  it('name the host of MEDIA_URL, and protect the file that a CDN gets here', async () => {
    const { stage, name } = await open({
      settings: defineSettings({ ...settings, MEDIA_URL: 'https://cdn.example.com/media/' }),
    })
    const { origin, pathname, search } = new URL(await urlOf(stage))
    expect([origin, pathname]).toEqual(['https://cdn.example.com', `/media/documents/7/content/${name}`])
    expect(await statusOf(stage, `/api${pathname}`)).toBe(401)
    const reply = await stage.send('GET', `/api${pathname}${search}`)
    expect([reply.status, reply.text]).toEqual([200, 'Hello, world.\n'])
    // The cache of the CDN serves it to nobody else.
    expect(reply.headers['cache-control']).toBe('private, max-age=6000')
  })

  it('end when the record holds another file, or is gone', async () => {
    const { stage } = await open()
    const url = await urlOf(stage)
    stage.database.prepare('update documents set content = null').run()
    expect(await statusOf(stage, url)).toBe(404)
    stage.database.prepare('delete from documents').run()
    expect(await statusOf(stage, url)).toBe(404)
  })

  it('are worth nothing for another file, or changed in any letter', async () => {
    const { stage, key, name } = await open()
    stage.insert({ id: 8, title: 'Two', content: key, draft: key })
    const url = await urlOf(stage)
    const [path = '', query = ''] = url.split('?')
    const expires = 'expires=1772366400'
    for (const forged of [
      ...[path, `${path}?${expires}`, `${path}?${query.split('&')[1]}`],
      ...[url.replace('/7/', '/8/'), `/api/media/documents/8/draft/${name}?${query}`],
      ...[url.replace(expires, 'expires=1772366401'), url.replace(expires, 'expires=01772366400')],
      ...[url.replace(expires, 'expires=99999999999999999'), url.replace(expires, 'expires=-1')],
      ...[url.slice(0, -1), `${url}A`, `${url}=`, url.replace(expires, 'expires=')],
    ]) {
      expect([forged, await statusOf(stage, forged)]).toEqual([forged, 401])
      // To those who may read it anyway it makes no difference.
      if (forged.includes('/7/')) expect(await statusOf(stage, forged, ann)).toBe(200)
    }
    // 128 bits are 22 letters, the last of which has four bits that say nothing.
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    for (const letter of letters.replace(url.at(-1) ?? '', '')) {
      expect(await statusOf(stage, url.slice(0, -1) + letter)).toBe(401)
    }
    expect(await statusOf(stage, `${url}&signature=x`)).toBe(400)
    expect(await statusOf(stage, `${url}&a=1`)).toBe(400)
  })

  it('of another secret are worth nothing', async () => {
    const { stage } = await open()
    const url = await urlOf(stage)
    const { stage: other, key } = await open({
      settings: defineSettings({ SECRET_KEY: 'another secret, and as long as it has to be' }),
    })
    stage.database.prepare('update documents set content = ?').run(key)
    expect((await urlOf(other)).split('?')[0]).toBe((await urlOf(stage)).split('?')[0])
    expect(await statusOf(other, await urlOf(stage))).toBe(401)
    expect(url).toContain('signature')
  })

  it('unsigned ask who it is, under the scope and the permissions of the model', async () => {
    const { stage } = await open({
      controllers: [
        controllerFor('Document', {
          scope: (request: unknown) => ({ owner: callerIn(request)?.id ?? '' }),
        } as never),
      ],
    })
    const url = await urlOf(stage)
    const [plain = ''] = url.split('?')
    const reply = await stage.send('GET', plain, { headers: ann })
    expect([reply.status, reply.headers['cache-control']]).toEqual([200, 'private, no-cache'])
    expect(await statusOf(stage, plain, { 'x-user': 'bob' })).toBe(404)
    expect(await statusOf(stage, plain)).toBe(401)
    expect(await statusOf(stage, url, { 'x-user': 'bob' })).toBe(200)
  })

  it('unsigned ask the permission about the record', async () => {
    class DocumentController extends BaseModelController {
      static permissions = {
        read: (request: unknown, record?: { owner?: string }) => record?.owner === callerIn(request)?.id,
      }
    }
    const { stage } = await open({ controllers: [controllerFor('Document', DocumentController as never)] })
    const [plain = ''] = (await urlOf(stage)).split('?')
    expect(await statusOf(stage, plain, ann)).toBe(200)
    expect(await statusOf(stage, plain, { 'x-user': 'bob' })).toBe(403)
    expect(await statusOf(stage, plain)).toBe(401)
  })

  it('of what everybody may read are not signed', async () => {
    const { stage } = await open({ modelConfig: { Document: { public: 'read' } } })
    const url = await urlOf(stage, {})
    expect(url).not.toContain('?')
    const reply = await stage.send('GET', url)
    expect([reply.status, reply.headers['cache-control']]).toEqual([200, 'no-cache'])
  })

  it('of a storage that serves files itself are its own', async () => {
    const own = memoryStorage()
    const asked: unknown[] = []
    const { stage, key, name } = await open({
      storage: {
        ...own,
        signedUrl: async (of, validity) => {
          asked.push(validity)
          return `https://bucket.example.com/${of}?signed=${asked.length}`
        },
      },
    })
    expect(await urlOf(stage)).toBe(`https://bucket.example.com/${key}?signed=1`)
    expect(asked).toEqual([
      { from: new Date('2026-03-01T10:00:00Z'), until: new Date('2026-03-01T12:00:00Z') },
    ])
    const list = await stage.send('GET', '/api/documents/', { headers: ann })
    expect(list.json).toMatchObject({ items: [{ content: `https://bucket.example.com/${key}?signed=2` }] })
    const headers = { ...ann, 'content-type': 'application/json' }
    const body = JSON.stringify({ title: 'Two', content: `https://bucket.example.com/${key}?signed=1` })
    const put = await stage.send('PUT', '/api/documents/7', { headers, body })
    expect([put.status, put.json['title']]).toEqual([200, 'Two'])
    const other = JSON.stringify({ content: `https://bucket.example.com/other?signed=1` })
    expect((await stage.send('PATCH', '/api/documents/7', { headers, body: other })).status).toBe(422)
    vi.spyOn(stage.storage as Required<typeof own>, 'signedUrl').mockRejectedValue(
      new StorageError('unavailable'),
    )
    expect(await urlOf(stage)).toBe(`/api/media/documents/7/content/${name}`)
  })

  it('are signed in the synchronous mode too', async () => {
    const { stage } = await open({ isAsync: false })
    const url = await urlOf(stage)
    expect(await statusOf(stage, url)).toBe(200)
    const remote = memoryStorage()
    const { stage: bucket } = await open({
      isAsync: false,
      storage: { ...remote, signedUrl: async (key) => `https://bucket.example.com/${key}` },
    })
    expect(await urlOf(bucket)).toContain('https://bucket.example.com/document/content/')
  })

  it('need SECRET_KEY in production', async () => {
    vi.stubEnv('NODE_ENV', 'production')
    await expect(start({ auth })).rejects.toThrow(startError('SECRET_KEY', 'defineSettings({ SECRET_KEY'))
    vi.stubEnv('NODE_ENV', 'test')
    const { stage } = await open({ settings: {} })
    expect(await statusOf(stage, await urlOf(stage))).toBe(200)
  })
})
