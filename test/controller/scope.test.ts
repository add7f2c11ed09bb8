import { describe, expect, it } from 'vitest'
import { conditionOf } from '../../src/controller/scope.ts'
import { naming } from '../naming.ts'
import { fieldNamed, modelOf } from '../sample-model.ts'

const model = modelOf('Event', [
  fieldNamed('id', 'integer', 'number'),
  fieldNamed('starts', 'datetime', 'string'),
  fieldNamed('price', 'decimal', 'string', { precision: 10, scale: 2 }),
  fieldNamed('big', 'bigint', 'bigint'),
  fieldNamed('data', 'json', 'json'),
])

const conditionFor = (scope: unknown) =>
  conditionOf(scope, model, () => {
    throw new Error('no other model')
  })

describe('the values of a scope', () => {
  it.each([
    ['as a record of the ORM has them', { starts: '2026-01-31 09:30:00+00' }, '2026-01-31T09:30:00Z'],
    ['as a date', { starts: new Date('2026-01-31T09:30:00Z') }, '2026-01-31T09:30:00.000Z'],
    ['as they are in JSON', { price: 9.9 }, '9.90'],
    ['as numbers where bigints are kept', { big: 7 }, 7n],
  ])('may stand %s', (_how, scope, value) => {
    expect(conditionFor(scope)).toMatchObject({ op: 'eq', value })
  })

  it.each([
    ['a column that cannot be compared', { data: {} }, 'data'],
    ['a date that is none', { starts: new Date(Number.NaN) }, 'starts'],
    ['more digits than the column has', { price: 9.999 }, 'price'],
  ])('are refused for %s', (_what, scope, field) => {
    expect(() => conditionFor(scope)).toThrow(naming('Event', field))
  })
})
