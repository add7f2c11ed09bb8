import { expect, test } from 'vitest'
import { isUploadedFile, uploadedFile } from '../../../src/model/kinds/binary.ts'
import { kinds } from '../../../src/model/kinds/index.ts'
import { exampleOf } from '../../../src/schema/example.ts'
import { validateBody } from '../../../src/schema/issues.ts'
import { jsonSchemasOf } from '../../../src/schema/json-schema.ts'
import { schemaNames } from '../../../src/schema/members.ts'
import { schemasOf } from '../../../src/schema/zod.ts'
import { naming } from '../../naming.ts'
import { fieldNamed, modelOf } from '../../sample-model.ts'
import { compile } from '../../schema/ajv.ts'
import { expectation, field, read, readText } from './field.ts'

const facts = { key: 'product/photo/q4/q4zk7a.png', name: 'cover.png', type: 'image/png', size: 7 }

test.each(['file', 'image'] as const)(
  'a %s is what an upload has stored, and nothing that looks like it',
  (kind) => {
    const photo = field(kind, 'string')
    expect(read(photo, uploadedFile(facts))).toBe(facts.key)
    for (const value of [facts.key, '', facts, { ...uploadedFile(facts) }, [facts.key], 5, true, {}]) {
      expect(read(photo, value)).toBe('invalid_format')
      expect(expectation(photo, value)).toMatch(naming(kind, 'multipart/form-data'))
    }
    expect(readText(photo, facts.key)).toBe('invalid_format')
    expect(kinds[kind].write(facts.key, photo)).toBe(facts.key)
  },
)

test('an uploaded file is frozen and keeps what it was made of', () => {
  const given = { ...facts, more: 'secret' }
  const file = uploadedFile(given)
  expect(file).toEqual(facts)
  expect(Object.isFrozen(file)).toBe(true)
  expect([file, given, null, 'x'].map(isUploadedFile)).toEqual([true, false, false, false])
})

const model = modelOf('Document', [
  fieldNamed('id', 'integer', 'number'),
  fieldNamed('content', 'file', 'string'),
  fieldNamed('preview', 'image', 'string', { nullable: true }),
])

test('a JSON body takes null where there may be none, and no path', () => {
  const { update } = schemasOf(model)
  expect(validateBody(update, {})).toEqual({})
  expect(validateBody(update, { preview: null })).toEqual({ preview: null })
  const refused = (body: object): unknown => {
    try {
      return validateBody(update, body)
    } catch (error) {
      return error
    }
  }
  expect(refused({ content: facts.key, preview: facts })).toMatchObject({
    status: 422,
    errors: [
      {
        pointer: '/content',
        code: 'invalid_format',
        detail: expect.stringMatching(naming('file', 'multipart/form-data')),
      },
      {
        pointer: '/preview',
        code: 'invalid_format',
        detail: expect.stringMatching(naming('image', 'multipart/form-data')),
      },
    ],
  })
  expect(refused({ content: null })).toMatchObject({
    errors: [{ pointer: '/content', code: 'not_nullable' }],
  })
})

test('a reply says where the file is', () => {
  const { detail } = schemasOf(model)
  expect(detail.safeParse({ id: 1, content: '/media/a.pdf', preview: null }).success).toBe(true)
  expect(detail.safeParse({ id: 1, content: 5, preview: null }).success).toBe(false)
})

test.each(schemaNames)('the example of %s fits its JSON Schema', (which) => {
  const validate = compile(jsonSchemasOf(model)[which])
  expect(validate(exampleOf(model, which)), JSON.stringify(validate.errors)).toBe(true)
})

test('an example shows where files are in replies, and leaves them out of bodies where it can', () => {
  expect(exampleOf(model, 'detail')).toMatchObject({
    content: '/media/documents/1/file/q4zk7a.pdf',
    preview: '/media/products/1/image/q4zk7a.png',
  })
  expect(exampleOf(model, 'update')).toEqual({})
  expect(Object.keys(exampleOf(model, 'create'))).toEqual(['id', 'content'])
})
