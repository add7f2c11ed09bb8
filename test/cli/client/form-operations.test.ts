import { describe, expect, test } from 'vitest'
import { withFormOperations } from '../../../src/cli/client/form-operations.ts'

const JSON_BODY = { 'application/json': { schema: { type: 'object' } } }
const FORM = { 'multipart/form-data': { schema: { type: 'object' } } }

const operation = (operationId: string, content: object) => ({
  operationId,
  summary: 'Create',
  requestBody: { required: true, content },
  'x-problem-codes': { type: 'string', enum: [] },
})

const documentOf = (paths: object) => ({ openapi: '3.1.0', info: {}, paths })

describe('a document for generators', () => {
  test('has an operation for JSON and one for the form, at the path with and without its slash', () => {
    const post = operation('createNote', { ...FORM, ...JSON_BODY })
    const get = { operationId: 'listNotes', 'x-problem-codes': {} }
    const patch = operation('updateNote', { ...FORM, ...JSON_BODY, 'application/merge-patch+json': {} })
    const given = documentOf({ '/notes/': { get, post }, '/notes/{id}': { patch } })
    const before = structuredClone(given)
    expect(withFormOperations(given)).toEqual(
      documentOf({
        '/notes/': { get, post: operation('createNote', JSON_BODY) },
        '/notes': {
          post: { ...operation('createNoteForm', FORM), summary: expect.stringMatching(/Create.+/) },
        },
        '/notes/{id}': {
          patch: operation('updateNote', { ...JSON_BODY, 'application/merge-patch+json': {} }),
        },
        '/notes/{id}/': {
          patch: { ...operation('updateNoteForm', FORM), summary: expect.stringMatching(/Create.+/) },
        },
      }),
    )
    expect(given).toEqual(before)
  })

  test('names the form apart from a model that is named so', () => {
    const both = operation('createNote', { ...FORM, ...JSON_BODY })
    const made = withFormOperations(
      documentOf({
        '/notes/': { post: both },
        '/note-forms/': { post: operation('createNoteForm', JSON_BODY) },
      }),
    )
    expect(made).toMatchObject({ paths: { '/notes': { post: { operationId: 'createNoteFormForm' } } } })
  })

  test.each([
    ['JSON alone', { '/notes/': { post: operation('createNote', JSON_BODY) } }],
    ['a form alone', { '/notes/': { post: operation('createNote', FORM) } }],
    [
      'both, at a path that is taken with and without its slash',
      { '/notes/': { post: operation('createNote', { ...FORM, ...JSON_BODY }) }, '/notes': { get: {} } },
    ],
    [
      'both, in a document that is not ours',
      { '/notes/': { post: { requestBody: { content: { ...FORM, ...JSON_BODY } } } } },
    ],
  ])('stays as it is with %s', (_, paths) => {
    expect(withFormOperations(documentOf(paths))).toBeUndefined()
  })

  test.each([null, 1, [], {}, { paths: null }, { paths: { '/': null, '/x': [] } }])(
    'may be anything: %j',
    (given) => {
      expect(withFormOperations(given)).toBeUndefined()
    },
  )
})
