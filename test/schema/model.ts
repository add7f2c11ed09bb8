import type { Model } from '../../src/model/model.ts'
import { fieldNamed, modelOf } from '../sample-model.ts'

const int32 = { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }

/** The product of the specification, and a field for each rule of the schemas. */
export const product: Model = modelOf('Product', [
  fieldNamed('id', 'integer', 'number', { ...int32, hasDefault: true }),
  fieldNamed('name', 'text', 'string', { maxLength: 100 }),
  fieldNamed('price', 'decimal', 'string', { precision: 10, scale: 2 }),
  fieldNamed('in_stock', 'boolean', 'boolean', { hasDefault: true, default: true }),
  fieldNamed('status', 'enum', 'string', { values: ['draft', 'live'], nullable: true }),
  fieldNamed('note', 'text', 'string', { nullable: true }),
  fieldNamed('slug', 'text', 'string', { optional: true }),
  fieldNamed('tags', 'array', 'json', {
    nullable: true,
    element: { kind: 'text', form: 'string', nullable: false, maxLength: 5 },
  }),
  fieldNamed('api_key', 'text', 'string', { access: 'write-only', hasDefault: true, default: 'k' }),
  fieldNamed('pin', 'text', 'string', { access: 'write-only' }),
  fieldNamed('search', 'text', 'string', { generated: true }),
  fieldNamed('internal', 'text', 'string', { access: 'hidden', nullable: true }),
  fieldNamed('created_at', 'datetime', 'date', { access: 'read-only', hasDefault: true, fractionDigits: 3 }),
])
