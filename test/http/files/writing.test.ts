import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { samples } from '../../upload/samples.ts'
import {
  document,
  filePart,
  form,
  json,
  type Options,
  refusal,
  type Stage,
  sqliteWorld,
  startFastify,
  textPart,
  type World,
} from './writing-stage.ts'

describe('files', () => {
  const open = sqliteWorld
  const start = startFastify
  let world: World
  let stage: Stage
  const begin = async (options?: Options) => {
    await stage.stop()
    stage = await start(world, options)
  }
  beforeAll(async () => {
    world = await open()
  })
  afterAll(() => world.close())
  beforeEach(async () => {
    stage = await start(world)
  })
  afterEach(() => stage.stop())

  const held = async () =>
    (await stage.rows())
      .flatMap(({ cover, content }) => [cover, content])
      .filter((key) => key !== null)
      .toSorted()

  test('JSON may come as a browser sends it, with the name of a file', async () => {
    const blob = (name: string, type: string) => ({
      ...{ name, type, fileName: 'blob' },
      content: Buffer.from('{"a":[1]}'),
    })
    const told = await stage.send('POST', '/documents/', document('First', blob('meta', 'application/json')))
    expect([told.status, told.json['meta']]).toEqual([201, { a: [1] }])
    for (const part of [blob('meta', 'text/plain'), blob('pages', 'application/json')])
      expect((await stage.send('POST', '/documents/', document('Second', part))).status).toBe(422)
    expect(await stage.keys()).toEqual(await held())
  })

  test('a form creates a record with its files, texts read by their kinds', async () => {
    const told = await stage.send(
      'POST',
      '/documents/',
      document(
        'First',
        textPart('pages', '12'),
        textPart('meta', '{"a":[1]}'),
        filePart('cover', samples.png, '../../etc/passwd.png'),
      ),
    )
    expect(told.status).toBe(201)
    const [row] = await stage.rows()
    expect(row).toMatchObject({ title: 'First', pages: 12 })
    expect(row?.['content']).toMatch(/^document\/content\/..\/[a-z2-7]{26}\.pdf$/)
    expect(row?.['cover']).toMatch(/^document\/cover\/..\/[a-z2-7]{26}\.png$/)
    expect(await stage.keys()).toEqual(await held())
    const stored = await stage.storage.stat(String(row?.['cover']))
    expect(stored.size).toBe(samples.png.length)
  })

  test('an empty text is null where the field may be null', async () => {
    const told = await stage.send('POST', '/documents/', document('First', textPart('pages', '')))
    expect(told.json).toMatchObject({ pages: null })
  })

  test('a file that a form leaves empty is absent', async () => {
    const empty = { name: 'cover', fileName: '', type: 'application/octet-stream', content: samples.empty }
    const told = await stage.send('POST', '/documents/', document('First', empty))
    expect(told.json).toMatchObject({ cover: null })
  })

  test.each(['PATCH', 'PUT'])('%s replaces a file; the old one goes, others stay', async (method) => {
    await stage.send('POST', '/documents/', document('First', filePart('cover', samples.png)))
    const [old] = await stage.rows()
    const told = await stage.send(
      method,
      '/documents/1',
      form([textPart('title', 'Second'), filePart('content', samples.zip, 'b.zip')]),
    )
    expect(told.status).toBe(200)
    const [row] = await stage.rows()
    expect(row).toMatchObject({ title: 'Second', cover: old?.['cover'] })
    expect(row?.['content']).toMatch(/\.zip$/)
    expect(await stage.keys()).toEqual(await held())
  })

  test.each([
    ['null in JSON', json({ cover: null })],
    ['an empty text in a form', form([textPart('cover', '')])],
  ])('%s takes a file away', async (_how, asked) => {
    await stage.send('POST', '/documents/', document('First', filePart('cover', samples.png)))
    const told = await stage.send('PATCH', '/documents/1', asked)
    expect(told.json).toMatchObject({ cover: null })
    expect(await stage.keys()).toEqual(await held())
    expect(await held()).toHaveLength(1)
  })

  test('PUT without its files leaves them', async () => {
    await stage.send('POST', '/documents/', document('First', filePart('cover', samples.png)))
    const before = await held()
    const told = await stage.send('PUT', '/documents/1', json({ title: 'Second' }))
    expect(told.status).toBe(200)
    expect(await held()).toEqual(before)
    expect(await stage.keys()).toEqual(before)
  })

  test('a change of other fields asks nothing of the storage', async () => {
    await stage.send('POST', '/documents/', document('First'))
    const calls = stage.storage.calls.length
    expect((await stage.send('PATCH', '/documents/1', form([textPart('title', 'Second')]))).status).toBe(200)
    expect((await stage.send('PATCH', '/documents/1', json({ title: 'Third' }))).status).toBe(200)
    await stage.keys()
    expect(stage.storage.calls.slice(calls)).toEqual([])
  })

  test('a deleted record takes its files with it', async () => {
    await stage.send('POST', '/documents/', document('First', filePart('cover', samples.png)))
    await stage.send('POST', '/documents/', document('Second'))
    expect((await stage.send('DELETE', '/documents/1')).status).toBe(204)
    expect(await stage.rows()).toHaveLength(1)
    expect(await stage.keys()).toEqual(await held())
  })

  test('the old file goes after the commit, never before', async () => {
    const seen: (readonly string[])[] = []
    await begin({
      hooks: {
        afterUpdate: () => void seen.push(stage.storage.calls.filter((call) => call.startsWith('delete'))),
      },
    })
    await stage.send('POST', '/documents/', document('First'))
    const [old] = await stage.rows()
    await stage.send('PATCH', '/documents/1', form([filePart('content')]))
    await stage.keys()
    expect(seen).toEqual([[]])
    expect(stage.storage.calls.at(-1)).toBe(`delete ${old?.['content']}`)
  })

  test('hooks get what a file is, and may change the rest', async () => {
    const seen: unknown[] = []
    await begin({
      hooks: {
        beforeCreate: (_request, payload) => {
          seen.push(payload)
          return { ...payload, title: 'Of the hook' }
        },
      },
    })
    const told = await stage.send('POST', '/documents/', document('First'))
    expect(told.json).toMatchObject({ title: 'Of the hook' })
    const [row] = await stage.rows()
    const file = { key: row?.['content'], name: 'a.pdf', type: 'application/pdf', size: samples.pdf.length }
    expect(seen).toEqual([{ title: 'First', content: file }])
  })

  test.each(['PATCH', 'PUT'])('a hook of a %s may give back the keys of the record', async (method) => {
    await begin({ hooks: { beforeUpdate: (_request, record, payload) => ({ ...record, ...payload }) } })
    await stage.send('POST', '/documents/', document('First', filePart('cover', samples.png)))
    const told = await stage.send(
      method,
      '/documents/1',
      form([textPart('title', 'Second'), filePart('content', samples.zip)]),
    )
    expect(told.json).toMatchObject({ title: 'Second' })
    expect(await held()).toHaveLength(2)
    expect(await stage.keys()).toEqual(await held())
  })

  test('no hook can give a record the file of another', async () => {
    await begin({
      hooks: { beforeUpdate: () => ({ cover: 'document/cover/aa/aaaaaaaaaaaaaaaaaaaaaaaaaa.png' }) },
    })
    await stage.send('POST', '/documents/', document('First'))
    const told = await stage.send('PATCH', '/documents/1', json({ title: 'Second' }))
    expect(refusal(told)).toEqual({ status: 422, code: 'invalid_body', errors: ['/cover invalid_format'] })
  })

  test('a file that a hook leaves out does not stay', async () => {
    await begin({
      hooks: { beforeCreate: (_request, payload) => ({ ...payload, cover: null }) },
    })
    const told = await stage.send('POST', '/documents/', document('First', filePart('cover', samples.png)))
    expect(told.json).toMatchObject({ cover: null })
    expect(await stage.keys()).toEqual(await held())
  })

  test('a schema of the application gets a file as such, and may copy it', async () => {
    const content = z.object({ key: z.string(), name: z.string(), type: z.string(), size: z.number() })
    const create = z.object({ title: z.string().toUpperCase(), content, pages: z.coerce.number().nullable() })
    await begin({ customSchemas: { Document: { create } } })
    const told = await stage.send('POST', '/documents/', document('First', textPart('pages', '7')))
    expect(told.json).toMatchObject({ title: 'FIRST', pages: 7 })
    expect(await stage.keys()).toEqual(await held())
    const stolen = { key: (await held())[0], name: 'a.pdf', type: 'application/pdf', size: 1 }
    const refused = await stage.send(
      'POST',
      '/documents/',
      json({ title: 'Second', pages: 1, content: stolen }),
    )
    expect(refusal(refused)).toEqual({
      status: 422,
      code: 'invalid_body',
      errors: ['/content invalid_format'],
    })
  })

  test('a model takes no forms where useMultipart says so', async () => {
    await begin({ useMultipart: { Document: { create: false } } as never })
    expect((await stage.send('POST', '/documents/', document('First'))).status).toBe(415)
    expect(stage.storage.calls).toEqual(['check'])
  })
})
