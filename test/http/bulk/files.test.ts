import { afterEach, describe, expect, test } from 'vitest'
import { samples } from '../../upload/samples.ts'
import {
  document,
  filePart,
  json,
  type Options,
  refusal,
  type Stage,
  sqliteWorld,
  startFastify,
  type Told,
  type World,
} from '../files/writing-stage.ts'

let stage: Stage | undefined
let world: World | undefined
afterEach(async () => {
  await stage?.stop()
  await world?.close()
  stage = undefined
  world = undefined
})

const modelConfig = { Document: { bulk: true } } as never

interface Shown {
  readonly id: number
  readonly cover: string | null
  readonly content: string
}

describe('files of many records', () => {
  const open = sqliteWorld
  const start = startFastify
  /** Three documents, each with a cover. */
  const begin = async (options: Options = {}) => {
    world = await open()
    stage = await start(world, { modelConfig, ...options })
    const { send, rows, keys, storage } = stage
    const made: Shown[] = []
    for (const title of ['one', 'two', 'three']) {
      const reply = await send('POST', '/documents/', document(title, filePart('cover', samples.png)))
      expect(reply.status).toBe(201)
      made.push(reply.json as unknown as Shown)
    }
    const patch = (body: unknown, path = '/documents/'): Promise<Told> => send('PATCH', path, json(body))
    return { send, patch, rows, keys, storage, made, before: await rows() }
  }
  const filesIn = (rows: Awaited<ReturnType<Stage['rows']>>): readonly string[] =>
    rows.flatMap(({ cover, content }) => [cover, content].filter((key) => typeof key === 'string')).sort()
  const failsAt = (title: string) => (_request: unknown, record: object) => {
    if (Reflect.get(record, 'title') === title) throw new Error('no')
  }

  test('an array cannot have files, nor texts in their place', async () => {
    const { send, rows, keys, before } = await begin()
    const post = async (body: unknown) => refusal(await send('POST', '/documents/', json(body)))
    const invalid = (...errors: readonly string[]) => ({ status: 422, code: 'invalid_body', errors })
    expect(await post([{ title: 'x' }])).toEqual(invalid('/0/content required'))
    expect(await post([{ title: 'x', content: null }])).toEqual(invalid('/0/content not_nullable'))
    const [first] = before
    for (const text of ['a.pdf', 'https://example.org/a.pdf', first?.['content']])
      expect(await post([{ title: 'x', content: text, cover: text }])).toEqual(
        invalid('/0/cover invalid_format', '/0/content invalid_format'),
      )
    expect(await rows()).toEqual(before)
    expect(await keys()).toEqual(filesIn(before))
  })

  test('an array of changes takes what a response shows, and null', async () => {
    const { patch, rows, keys, made, before } = await begin()
    const [one, two, three] = made
    const reply = await patch([
      { id: three?.id, cover: null },
      { id: one?.id, title: 'uno', cover: one?.cover, content: `${one?.content}?signature=x` },
      { id: two?.id, pages: 7 },
    ])
    expect(reply.status, JSON.stringify(reply.json)).toBe(200)
    expect(reply.json).toMatchObject([
      { ...three, cover: null },
      { ...one, title: 'uno' },
      { ...two, pages: 7 },
    ])
    const now = await rows()
    expect(now.map(({ cover, content }) => [cover, content])).toEqual([
      [before[0]?.['cover'], before[0]?.['content']],
      [before[1]?.['cover'], before[1]?.['content']],
      [null, before[2]?.['content']],
    ])
    expect(await keys()).toEqual(filesIn(now))
  })

  test('a refused array leaves all files', async () => {
    const { patch, rows, keys, made, before } = await begin()
    const [one, two, three] = made.map(({ id }) => id)
    const refused = async (...body: readonly unknown[]) => refusal(await patch(body))
    const invalid = (error: string) => ({ status: 422, code: 'invalid_body', errors: [error] })
    const cleared = { id: one, cover: null }
    expect(await refused(cleared, { id: two, content: null })).toEqual(invalid('/1/content not_nullable'))
    expect(await refused(cleared, { id: two, cover: made[2]?.cover })).toEqual(
      invalid('/1/cover invalid_format'),
    )
    expect(await refused(cleared, { id: two, title: 'three' })).toEqual({
      ...{ status: 409, code: 'unique_conflict', errors: ['/1/title taken'] },
    })
    expect((await refused(cleared, { id: three, pages: 5000 })).status).toBe(422)
    expect(await refused(cleared, { id: 99 })).toMatchObject({ status: 404, errors: ['/1 not_found'] })
    expect(await rows()).toEqual(before)
    expect(await keys()).toEqual(filesIn(before))
  })

  test('a change by filter can clear files, if all of it succeeds', async () => {
    const { patch, rows, keys, made, before } = await begin({ hooks: { afterUpdate: failsAt('three') } })
    expect((await patch({ cover: null }, '/documents/?pages=null')).status).toBe(500)
    expect(await rows()).toEqual(before)
    const invalid = { status: 422, code: 'invalid_body' }
    expect(refusal(await patch({ cover: made[0]?.cover }, '/documents/?title=one'))).toMatchObject(invalid)
    expect(refusal(await patch({ content: null }, '/documents/?title=one'))).toMatchObject(invalid)
    expect((await patch({ cover: null }, '/documents/?title!=three&dry_run=true')).json).toMatchObject({
      count: 2,
    })
    expect(await rows()).toEqual(before)
    expect((await patch({ cover: null }, '/documents/?title!=three')).json).toMatchObject({ count: 2 })
    const now = await rows()
    expect(now.map(({ cover }) => cover)).toEqual([null, null, before[2]?.['cover']])
    expect(await keys()).toEqual(filesIn(now))
  })

  test('a deletion by filter deletes the files after the commit', async () => {
    const left: number[] = []
    const { send, rows, keys, before } = await begin({
      storage: (own) => ({
        delete: async (key) => {
          left.push((await rowsNow()).length)
          return own.delete(key)
        },
      }),
    })
    const rowsNow = rows
    const tried = await send('DELETE', '/documents/?title!=three&dry_run=true')
    expect(tried.json).toEqual({ count: 2, dry_run: true })
    expect(await rows()).toEqual(before)
    expect((await send('DELETE', '/documents/?title!=three')).json).toEqual({ count: 2, dry_run: false })
    const now = await rows()
    expect(now.map(({ title }) => title)).toEqual(['three'])
    expect(await keys()).toEqual(filesIn(now))
    // Two files of each of two documents.
    expect(left).toEqual([1, 1, 1, 1])
  })

  test('a deletion by filter that fails leaves all records and files', async () => {
    const { send, rows, keys, before } = await begin({ hooks: { afterDelete: failsAt('three') } })
    expect((await send('DELETE', '/documents/?pages=null')).status).toBe(500)
    expect(await rows()).toEqual(before)
    expect(await keys()).toEqual(filesIn(before))
  })
})
