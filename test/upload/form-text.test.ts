import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Field } from '../../src/model/model.ts'
import { textValue } from '../../src/upload/form.ts'
import { fieldNamed } from '../sample-model.ts'

const field = (kind: Field['kind'], form: Field['form'], more: Partial<Field> = {}) =>
  fieldNamed('value', kind, form, more)

const nullable = { nullable: true }

describe('the text of a part', () => {
  test.each<[string, Field, unknown]>([
    ['12', field('integer', 'number'), 12],
    ['0.5', field('float', 'number'), 0.5],
    ['true', field('boolean', 'boolean'), true],
    ['9.90', field('decimal', 'string', { precision: 10, scale: 2 }), '9.90'],
    ['9007199254740993', field('bigint', 'bigint'), '9007199254740993'],
    [
      '2026-01-31T09:30:00+01:00',
      field('datetime', 'date', { fractionDigits: 3 }),
      '2026-01-31T08:30:00.000Z',
    ],
    ['aGk=', field('bytes', 'bytes'), 'aGk='],
    ['{"a":[1]}', field('json', 'json'), { a: [1] }],
    ['null', field('json', 'json'), null],
    ['[1,2]', field('array', 'json', { element: field('integer', 'number') }), [1, 2]],
    ['', field('text', 'string', nullable), ''],
    ['', field('integer', 'number', nullable), null],
    ['', field('json', 'json', nullable), null],
    ['', field('image', 'string', nullable), null],
    ['/api/media/a/1/b/c.png', field('image', 'string'), '/api/media/a/1/b/c.png'],
  ])('%j is read by the kind of its field', (text, of, value) => {
    expect(textValue(text, of)).toEqual({ ok: true, value })
  })

  test.each<[string, Field]>([
    ['', field('integer', 'number')],
    ['twelve', field('integer', 'number')],
    ['1.5', field('integer', 'number', nullable)],
    ['on', field('boolean', 'boolean')],
    ['{', field('json', 'json')],
    ['blue', field('enum', 'string', { values: ['red'] })],
  ])('%j is refused where the field cannot hold it', (text, of) => {
    expect(textValue(text, of)).toMatchObject({ ok: false })
  })

  test('any text of a text field stays as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(!text.includes('\0'))
        expect(textValue(text, field('text', 'string', nullable))).toEqual({ ok: true, value: text })
      }),
    )
  })
})
