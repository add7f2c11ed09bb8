import { type } from 'arktype'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { action } from '../../../src/index.ts'
import type { OpenApiDocument } from '../../../src/openapi/openapi-document.ts'
import { lint } from '../../openapi/lint.ts'
import { lite } from './stage.ts'

const documentOf = async (): Promise<OpenApiDocument> => {
  const desk = await lite({
    scope: () => ({ tenant: 1 }),
    actions: {
      close: action({
        on: 'record',
        summary: 'Close a ticket',
        description: 'Callers cannot answer it then.',
        deprecated: true,
        codes: ['unique_conflict', 'too_many_requests'],
        input: z.object({
          title: z.string().min(3).describe('The last title.'),
          at: z.coerce.date().optional(),
        }),
        run: () => undefined,
      }),
      open: action({ on: 'record', run: () => undefined }),
      decide: action({ on: 'collection', run: () => undefined }),
      countWords: action({
        on: 'collection',
        input: v.object({ words: v.optional(v.array(v.string())) }),
        output: type({ count: 'number', 'title?': 'string' }),
        run: () => ({ count: 1 }),
      }),
    },
  })
  return desk.rest.openapi()
}
const operationAt = (document: OpenApiDocument, path: string): Readonly<Record<string, unknown>> => {
  expect(Object.keys(document.paths[path] ?? {})).toEqual(['post'])
  return Object(document.paths[path]?.post)
}

test('is valid', async () => {
  expect(await lint(await documentOf())).toEqual([])
})

test('describes an action on a record', async () => {
  const document = await documentOf()
  const close = operationAt(document, '/tickets/{id}/close')
  expect(close).toMatchObject({
    operationId: 'closeTicket',
    tags: ['Ticket'],
    summary: 'Close a ticket',
    deprecated: true,
    parameters: [{ $ref: expect.stringMatching(/^#\/components\/parameters\/Id\d*$/) }],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/CloseTicketInput' },
          example: { title: expect.any(String) },
        },
      },
    },
    responses: {
      200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/TicketDetail' } } } },
    },
  })
  expect(close['description']).toMatch(/^Callers cannot answer it then\.\n\n.*404/)
  expect(document.components.schemas['CloseTicketInput']).toMatchObject({
    type: 'object',
    required: ['title'],
    properties: { title: { type: 'string', minLength: 3, description: 'The last title.' } },
  })
  const codes: unknown = Object(close['x-problem-codes']).enum
  expect(codes).toEqual(
    expect.arrayContaining([
      ...['malformed_json', 'rejected', 'forbidden', 'not_found', 'not_acceptable', 'unique_conflict'],
      ...['body_too_large', 'unsupported_media_type', 'invalid_body', 'too_many_requests', 'write_conflict'],
    ]),
  )
})

test('has no body for an action without input, and 204 for one without output', async () => {
  const document = await documentOf()
  const open = operationAt(document, '/tickets/{id}/open')
  expect(open).toMatchObject({ operationId: 'openTicket', summary: 'Run `open` on a Ticket' })
  expect(open['requestBody']).toBeUndefined()
  expect(document.components.schemas['Empty']).toBeUndefined()
  const decide = operationAt(document, '/tickets/decide')
  expect(decide).toMatchObject({
    operationId: 'decideTickets',
    summary: 'Run `decide` on Tickets',
    parameters: [],
  })
  expect(Object.keys(Object(decide['responses']))).toContain('204')
  expect(Object.keys(Object(decide['responses']))).not.toContain('200')
})

test('describes an output, and an input that may be empty', async () => {
  const document = await documentOf()
  const words = operationAt(document, '/tickets/count-words')
  expect(words).toMatchObject({
    operationId: 'countWordsTickets',
    requestBody: { required: false },
    responses: {
      200: {
        content: { 'application/json': { schema: { $ref: '#/components/schemas/CountWordsTicketsOutput' } } },
      },
    },
  })
  expect(document.components.schemas['CountWordsTicketsOutput']).toMatchObject({ required: ['count'] })
  expect(document.components.schemas['CountWordsTicketsInput']).toMatchObject({
    properties: { words: { type: 'array' } },
  })
})

test('says who may run an action', async () => {
  const { rest } = await lite(
    {
      permissions: { update: 'public', open: 'public', decide: () => true },
      actions: {
        close: action({ on: 'record', permission: 'authenticated', run: () => undefined }),
        touch: action({ on: 'record', run: () => undefined }),
        open: action({ on: 'collection', run: () => undefined }),
        gather: action({ on: 'collection', run: () => undefined }),
        decide: action({ on: 'collection', run: () => undefined }),
      },
    },
    { auth: { authenticate: () => null } },
  )
  const { paths } = await rest.openapi()
  const schemes = (path: string) =>
    (Object(paths[path]?.post).security as readonly object[]).map((one) => Object.keys(one).length)
  expect(schemes('/tickets/{id}/close')).toEqual([1])
  expect(schemes('/tickets/{id}/touch')).toEqual([])
  expect(schemes('/tickets/open')).toEqual([])
  expect(schemes('/tickets/gather')).toEqual([1])
  expect(schemes('/tickets/decide')).toEqual([1, 0])
})
