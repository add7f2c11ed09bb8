import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Hooks } from '../../../src/controller/controller.ts'
import { type FileStorage, StorageError, ValueError } from '../../../src/index.ts'
import { SourceError } from '../../../src/source/source.ts'
import { boundary, contentType, encode, headOf, raw } from '../../upload/encode.ts'
import { samples } from '../../upload/samples.ts'
import {
  type Asked,
  document,
  filePart,
  form,
  type Options,
  refusal,
  type Stage,
  sqliteWorld,
  startFastify,
  textPart,
  type World,
} from './writing-stage.ts'

const refusing = (): never => {
  throw new ValueError('Not today.')
}

const outside: Hooks<string, unknown> = { scope: () => ({ pages: 1 }) }

const failing =
  (kind: 'full' | 'unavailable', isFailing: (key: string) => boolean) =>
  (own: FileStorage): Partial<FileStorage> => ({
    put: async (key, bytes) => {
      if (isFailing(key)) throw new StorageError(kind)
      return own.put(key, bytes)
    },
  })

/** Everything that can go wrong from the first byte to the commit. */
interface Failure {
  readonly asked: Asked
  readonly options?: Options
  readonly status: number
  readonly code: string
  readonly errors?: readonly string[]
  /** The storage is not even asked. */
  readonly untouched?: true
}

const invalid = { status: 422, code: 'invalid_body' } as const
const malformed = { status: 400, code: 'malformed_multipart' } as const
const whole = [textPart('title', 'First'), filePart('content')]
const cover = (content: Uint8Array, fileName: string) =>
  document('First', filePart('cover', content, fileName))

const failures: Readonly<Record<string, Failure>> = {
  'a text that is too long': {
    asked: document('far too long a title for it'),
    ...invalid,
    errors: ['/title too_long'],
  },
  'a text of another kind': {
    asked: document('First', textPart('pages', 'twelve')),
    ...invalid,
    errors: ['/pages invalid_format'],
  },
  'a field that is missing': {
    asked: form([filePart('content')]),
    ...invalid,
    errors: ['/title required'],
  },
  'a file that is missing': {
    asked: form([textPart('title', 'First')]),
    ...invalid,
    errors: ['/content required'],
    untouched: true,
  },
  'an unknown text': {
    asked: document('First', textPart('colour', 'red')),
    ...invalid,
    errors: ['/colour unknown_key'],
  },
  'an unknown text in place of a required one': {
    asked: form([filePart('content'), textPart('titel', 'First')]),
    ...invalid,
    errors: ['/title required', '/titel unknown_key'],
  },
  'an unknown text before a file': {
    asked: form([textPart('titel', 'First'), filePart('content')]),
    ...invalid,
    errors: ['/titel unknown_key'],
    untouched: true,
  },
  'an unknown file': {
    asked: document('First', filePart('photo')),
    ...invalid,
    errors: ['/photo unknown_key'],
  },
  'a part that comes twice': {
    asked: document('First', filePart('content')),
    ...invalid,
    errors: ['/content repeated'],
  },
  'a field that nobody writes': {
    asked: document('First', textPart('id', '7')),
    ...invalid,
    errors: ['/id read_only'],
  },
  'a file for a text': {
    asked: document('First', filePart('pages')),
    ...invalid,
    errors: ['/pages wrong_type'],
  },
  'a text for a file': {
    asked: document('First', textPart('cover', 'document/cover/aa/x.png')),
    ...invalid,
    errors: ['/cover invalid_format'],
  },
  'a script named .png': {
    asked: cover(samples.script, 'a.png'),
    ...invalid,
    errors: ['/cover invalid_format'],
  },
  'an SVG as image': { asked: cover(samples.svg, 'a.svg'), ...invalid, errors: ['/cover invalid_format'] },
  'an empty file': {
    asked: form([textPart('title', 'First'), filePart('content', samples.empty)]),
    ...invalid,
    errors: ['/content too_short'],
    untouched: true,
  },
  'a file that is too large': {
    asked: form(whole),
    options: { settings: { UPLOAD_FILE_LIMIT: 10 } },
    status: 413,
    code: 'body_too_large',
    errors: ['/content body_too_large'],
  },
  'a form that is too large': {
    asked: form(whole),
    options: { settings: { UPLOAD_BODY_LIMIT: 100 } },
    status: 413,
    code: 'body_too_large',
    untouched: true,
  },
  'too many files': {
    asked: document('First', filePart('cover', samples.png)),
    options: { settings: { UPLOAD_MAX_FILES: 1 } },
    status: 413,
    code: 'body_too_large',
  },
  'a form without its end': {
    asked: { headers: { 'content-type': contentType }, body: encode(whole).subarray(0, -10) },
    ...malformed,
  },
  'a form that ends inside a file': {
    asked: {
      headers: { 'content-type': contentType },
      body: encode(whole).subarray(0, -boundary.length - 12),
    },
    ...malformed,
  },
  'a form without a boundary': {
    asked: { ...form(whole), headers: { 'content-type': 'multipart/form-data' } },
    ...malformed,
    untouched: true,
  },
  'no bytes at all': {
    asked: { headers: { 'content-type': contentType }, body: new Uint8Array() },
    ...malformed,
    untouched: true,
  },
  'a head of 100 kB': {
    asked: {
      headers: { 'content-type': contentType },
      body: raw([`${headOf(filePart('content'))}\r\nx-large: ${'x'.repeat(100_000)}`, samples.pdf]),
    },
    ...malformed,
    untouched: true,
  },
  'a media type that it does not take': {
    asked: { headers: { 'content-type': 'text/plain' }, body: 'title=First' },
    status: 415,
    code: 'unsupported_media_type',
    untouched: true,
  },
  'a schema of the application': {
    asked: form(whole),
    options: {
      customSchemas: { Document: { create: z.object({ title: z.literal('Other'), content: z.any() }) } },
    },
    ...invalid,
    errors: ['/title not_in_enum'],
  },
  'beforeCreate refuses': {
    asked: form(whole),
    options: { hooks: { beforeCreate: refusing } },
    status: 400,
    code: 'rejected',
  },
  'afterCreate refuses': {
    asked: form(whole),
    options: { hooks: { afterCreate: refusing } },
    status: 400,
    code: 'rejected',
  },
  'a hook that fails': {
    asked: form(whole),
    options: { hooks: { beforeCreate: () => ({ colour: 'red' }) } },
    status: 500,
    code: 'internal_error',
  },
  'a record out of reach': {
    asked: document('First', textPart('pages', '2')),
    options: { hooks: outside },
    status: 403,
    code: 'forbidden',
  },
  'nobody may do it': {
    asked: form(whole),
    options: { auth: { authenticate: () => null } },
    status: 401,
    code: 'unauthenticated',
    untouched: true,
  },
  'a value that is taken': {
    asked: document('Taken'),
    status: 409,
    code: 'unique_conflict',
    errors: ['/title taken'],
  },
  'a rule of the database': {
    asked: document('First', textPart('pages', '5000')),
    ...invalid,
    // SQLite does not say which column a rule is about.
    errors: expect.toBeOneOf([[], ['/pages constraint']]),
  },
  'a storage that is full': {
    asked: form(whole),
    options: { storage: failing('full', () => true) },
    status: 503,
    code: 'unavailable',
  },
  'a storage that fails at the second file': {
    asked: document('First', filePart('cover', samples.png)),
    options: { storage: failing('unavailable', (key) => key.includes('/cover/')) },
    status: 503,
    code: 'unavailable',
  },
}

describe('files whose storage fails', () => {
  const open = sqliteWorld
  const start = startFastify
  let world: World
  let stage: Stage
  beforeAll(async () => {
    world = await open()
  })
  afterAll(() => world.close())
  afterEach(() => stage.stop())

  test.each(Object.entries(failures))('%s leaves no file and no row', async (_what, failure) => {
    stage = await start(world, failure.options)
    await world.insert('Taken')
    const before = await stage.rows()
    const calls = stage.storage.calls.length
    const told = await stage.send('POST', '/documents/', failure.asked)
    expect(refusal(told)).toEqual({
      status: failure.status,
      code: failure.code,
      errors: failure.errors ?? [],
    })
    expect(await stage.rows()).toEqual(before)
    expect(await stage.keys()).toEqual([])
    if (failure.untouched) expect(stage.storage.calls.slice(calls)).toEqual([])
  })

  describe('a record that is there', () => {
    const begin = async (options?: Options) => {
      stage = await start(world, options)
      expect(
        (await stage.send('POST', '/documents/', document('First', textPart('pages', '1')))).status,
      ).toBe(201)
      return { rows: await stage.rows(), keys: await stage.keys() }
    }
    const changed = form([textPart('title', 'Second'), filePart('content', samples.zip)])

    test.each([
      ['PATCH', 'beforeUpdate'],
      ['PATCH', 'afterUpdate'],
      ['PUT', 'beforeUpdate'],
      ['PUT', 'afterUpdate'],
    ])('%s that %s refuses changes nothing', async (method, hook) => {
      const before = await begin({ hooks: { [hook]: refusing } })
      expect((await stage.send(method, '/documents/1', changed)).status).toBe(400)
      expect({ rows: await stage.rows(), keys: await stage.keys() }).toEqual(before)
    })

    test.each(['PATCH', 'PUT'])('%s with a value that is taken changes nothing', async (method) => {
      const before = await begin()
      await world.insert('Second')
      expect((await stage.send(method, '/documents/1', changed)).status).toBe(409)
      expect((await stage.rows())[0]).toEqual(before.rows[0])
      expect(await stage.keys()).toEqual(before.keys)
    })

    test.each(['PATCH', 'PUT'])('%s that leaves the reach of its caller changes nothing', async (method) => {
      const before = await begin({ hooks: outside })
      const asked = form([textPart('title', 'Second'), textPart('pages', '2'), filePart('content')])
      expect((await stage.send(method, '/documents/1', asked)).status).toBe(403)
      expect({ rows: await stage.rows(), keys: await stage.keys() }).toEqual(before)
    })

    test.each(['beforeDelete', 'afterDelete'])('DELETE that %s refuses deletes nothing', async (hook) => {
      const before = await begin({ hooks: { [hook]: refusing } })
      expect((await stage.send('DELETE', '/documents/1')).status).toBe(400)
      expect({ rows: await stage.rows(), keys: await stage.keys() }).toEqual(before)
    })

    test.each(['PATCH', 'PUT'])(
      '%s of one that is missing, or out of reach, asks nothing of the storage',
      async (method) => {
        const { keys } = await begin({ hooks: { scope: () => ({ pages: [1, null] }) } })
        await world.insert('Out of reach', 5)
        const calls = stage.storage.calls.length
        for (const id of ['2', '99', 'x'])
          expect((await stage.send(method, `/documents/${id}`, changed)).status).toBe(404)
        expect(await stage.keys()).toEqual(keys)
        expect(stage.storage.calls.slice(calls)).toEqual([])
      },
    )

    test('changed by many at once, it holds one file, which is there', async () => {
      await begin()
      const told = await Promise.all(
        Array.from({ length: 12 }, () => stage.send('PATCH', '/documents/1', form([filePart('content')]))),
      )
      expect(told.map(({ status }) => status)).toEqual(Array(12).fill(200))
      const [row] = await stage.rows()
      expect(await stage.keys()).toEqual([row?.['content']])
    })

    test('whose old file cannot be deleted is changed all the same', async () => {
      await begin({
        storage: () => ({ delete: async () => Promise.reject(new StorageError('unavailable')) }),
      })
      expect((await stage.send('PATCH', '/documents/1', changed)).status).toBe(200)
      expect(await stage.keys()).toHaveLength(2)
    })

    test('that shares the file of another program leaves it there', async () => {
      await begin()
      await world.insert('Shared', 1, 'shared/default.pdf')
      const calls = stage.storage.calls.length
      expect((await stage.send('DELETE', '/documents/2')).status).toBe(204)
      await stage.keys()
      expect(stage.storage.calls.slice(calls)).toEqual([])
    })
  })

  describe('a commit that fails', () => {
    /** A source whose commits end with an error, whether the database has done them or not. */
    const startLosing = async (
      isDone: boolean,
      isAway = false,
      kind: 'unavailable' | 'lost' = 'unavailable',
    ) => {
      const lost = new SourceError(kind)
      const { models } = world
      const transaction: typeof models.transaction = (work) => {
        const undone = new Error('undone')
        const begin = () =>
          models.transaction((inside) => {
            const result = work(inside)
            if (isDone) return result
            if (result instanceof Promise) return result.then(() => Promise.reject(undone)) as typeof result
            throw undone
          })
        const ended = (error: unknown): never => {
          throw error === undone ? lost : error
        }
        try {
          const done = begin()
          if (done instanceof Promise) return done.then(() => ended(undone), ended) as typeof done
        } catch (error) {
          return ended(error)
        }
        throw lost
      }
      const store: typeof models.store = (model) => ({
        ...models.store(model),
        ...(isAway && {
          count: () => {
            throw lost
          },
        }),
      })
      const losing = { ...models, models: models.models, transaction, store }
      stage = await start({ ...world, models: losing })
    }

    test('after the database has done it keeps the file of its record', async () => {
      await startLosing(true)
      expect((await stage.send('POST', '/documents/', document('First'))).status).toBe(503)
      const [row] = await stage.rows()
      expect(await stage.keys()).toEqual([row?.['content']])
    })

    test('keeps no file where the database has not done it', async () => {
      await startLosing(false)
      expect((await stage.send('POST', '/documents/', document('First'))).status).toBeGreaterThanOrEqual(500)
      expect(await stage.rows()).toEqual([])
      expect(await stage.keys()).toEqual([])
    })

    test('keeps the file where the database may still be doing it', async () => {
      await startLosing(false, false, 'lost')
      const told = await stage.send('POST', '/documents/', document('First'))
      expect(refusal(told)).toMatchObject({ status: 503, code: 'outcome_unknown' })
      expect(await stage.keys()).toHaveLength(1)
    })

    test('keeps the file where nobody can tell', async () => {
      await startLosing(true, true)
      expect((await stage.send('POST', '/documents/', document('First'))).status).toBe(503)
      expect(await stage.keys()).toHaveLength(1)
    })
  })
})
