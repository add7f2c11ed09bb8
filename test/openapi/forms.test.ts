import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { file, image } from '../../src/entry/drizzle-sqlite.ts'
import { fetchApp, ModelRest } from '../../src/entry/fetch.ts'
import type { ModelRestOptions } from '../../src/index.ts'
import type { OperationObject } from '../../src/openapi/openapi-document.ts'
import { naming } from '../naming.ts'
import { memoryStorage } from '../upload/memory-storage.ts'
import { lint } from './lint.ts'

const columns = {
  id: integer().primaryKey({ autoIncrement: true }),
  title: text({ length: 20 }).notNull(),
  state: text({ enum: ['draft', 'final'] }),
  tags: text({ mode: 'json' }).notNull(),
  cover: image(),
  content: file().notNull(),
}
const documents = sqliteTable('documents', columns)
const notes = sqliteTable('notes', { id: integer().primaryKey({ autoIncrement: true }), body: text() })

const database = new Database(':memory:')
database.exec('create table documents (id integer primary key, title, state, tags, cover, content)')
database.exec('create table notes (id integer primary key, body)')

const documentWith = async (options: Partial<ModelRestOptions<unknown>> = {}) => {
  const models = drizzleModels(drizzle({ client: database }), { documents, notes })
  const settings = { UPLOAD_BODY_LIMIT: 5000, JSON_BODY_LIMIT: 900 }
  const given: ModelRestOptions<unknown> = {
    ...{ models, controllers: [], settings, storage: memoryStorage() },
    ...options,
  }
  const rest = new ModelRest<unknown>(fetchApp({ base: '/api' }), given)
  await rest.registerAllModels()
  return rest.openapi()
}

type Document = Awaited<ReturnType<typeof documentWith>>

const bodyOf = ({ paths }: Document, path: string, method: 'post' | 'patch' | 'put') =>
  (paths[path]?.[method] as OperationObject | undefined)?.requestBody

describe('the document of models with files', () => {
  test('is clean', async () => {
    expect(await lint(await documentWith())).toEqual([])
  })

  test('shows the form first, with its files as bytes, and what its parts hold', async () => {
    const document = await documentWith()
    const body = bodyOf(document, '/documents/', 'post')
    expect(body?.description).toMatch(naming('900 bytes', '5000 bytes'))
    expect(Object.keys(body?.content ?? {})).toEqual(['multipart/form-data', 'application/json'])
    expect(body?.content['multipart/form-data']).toEqual({
      schema: { $ref: '#/components/schemas/DocumentCreateForm' },
      example: {
        ...{ title: expect.any(String), state: 'draft', tags: expect.anything() },
        ...{ cover: 'GIF89a', content: expect.any(String) },
      },
      encoding: {
        tags: { contentType: 'application/json' },
        cover: { contentType: 'image/png, image/jpeg, image/gif, image/webp, image/avif' },
      },
    })
    expect(document.components.schemas['DocumentCreateForm']).toEqual({
      type: 'object',
      required: ['title', 'tags', 'content'],
      properties: {
        title: { type: 'string', maxLength: 20, pattern: '^[^\\x00]*$', examples: [expect.any(String)] },
        state: { $ref: '#/components/schemas/DocumentStateEnum' },
        tags: { description: expect.any(String), not: { type: 'null' }, examples: [{ key: 'value' }] },
        cover: { type: 'string', format: 'binary' },
        content: { type: 'string', format: 'binary' },
      },
      additionalProperties: false,
    })
  })

  test('shows it for updates and replacements as well', async () => {
    const document = await documentWith()
    for (const [method, name] of [
      ['patch', 'DocumentUpdateForm'],
      ['put', 'DocumentReplaceForm'],
    ] as const) {
      const content = bodyOf(document, '/documents/{id}', method)?.content ?? {}
      expect(Object.keys(content)[0]).toBe('multipart/form-data')
      expect(content['multipart/form-data']?.schema).toEqual({ $ref: `#/components/schemas/${name}` })
    }
    expect(document.components.schemas['DocumentUpdateForm']).not.toHaveProperty('required')
  })

  test('shows JSON alone where no form is taken', async () => {
    const document = await documentWith({ useMultipart: { Document: { create: false, update: true } } })
    const taken = [
      bodyOf(document, '/documents/', 'post'),
      bodyOf(document, '/notes/', 'post'),
      bodyOf(document, '/documents/{id}', 'patch'),
    ].map((body) => Object.keys(body?.content ?? {}))
    expect(taken).toEqual([
      ['application/json'],
      ['application/json'],
      ['multipart/form-data', 'application/json', 'application/merge-patch+json'],
    ])
    expect(document.components.schemas).not.toHaveProperty('DocumentCreateForm')
  })

  test('makes the form of a schema of the application from that', async () => {
    const create = z.object({
      title: z.string().min(2),
      cover: z.string().nullable(),
      note: z.number().nullish(),
    })
    const document = await documentWith({ customSchemas: { Document: { create } } })
    expect(await lint(document)).toEqual([])
    expect(document.components.schemas['DocumentCreateForm']).toMatchObject({
      properties: {
        title: { type: 'string', minLength: 2 },
        cover: { type: 'string', format: 'binary' },
        note: { type: 'number' },
      },
    })
    expect(bodyOf(document, '/documents/', 'post')?.content['multipart/form-data']).not.toHaveProperty(
      'example',
    )
  })
})
