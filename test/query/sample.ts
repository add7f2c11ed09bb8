import type { Field, Model } from '../../src/model/model.ts'
import type { ListRules } from '../../src/query/rules.ts'

/** A field that may be read and written. */
export const field = (
  name: string,
  kind: Field['kind'],
  form: Field['form'],
  more: Partial<Field> = {},
): Field => ({
  name,
  kind,
  form,
  nullable: false,
  hasDefault: false,
  generated: false,
  access: 'read-write',
  optional: false,
  ...more,
})

/** A product with a field of every kind that a query treats differently. */
export const product: Model = {
  name: 'Product',
  app: 'app',
  path: 'products',
  fields: [
    field('id', 'integer', 'number', { hasDefault: true }),
    field('name', 'text', 'string', { maxLength: 100 }),
    field('price', 'decimal', 'string', { precision: 10, scale: 2 }),
    field('in_stock', 'boolean', 'boolean', { hasDefault: true }),
    field('note', 'text', 'string', { nullable: true }),
    field('status', 'enum', 'string', { values: ['draft', 'live'] }),
    field('released', 'datetime', 'date', { nullable: true, fractionDigits: 3 }),
    field('stock', 'bigint', 'bigint', { nullable: true }),
    field('data', 'json', 'json', { nullable: true }),
    field('maker', 'text', 'string'),
    field('limit', 'integer', 'number', { nullable: true }),
    field('code', 'uuid', 'string', { nullable: true }),
    field('weight', 'float', 'number', { nullable: true }),
    field('day', 'date', 'string', { nullable: true }),
    field('opens', 'time', 'string', { nullable: true }),
    field('shown', 'localdatetime', 'string', { nullable: true }),
    field('thumb', 'bytes', 'bytes', { nullable: true }),
    field('address', 'token', 'string', { nullable: true }),
    field('tags', 'array', 'json', { nullable: true }),
    field('password', 'text', 'string', { access: 'write-only' }),
    field('internal', 'text', 'string', { access: 'hidden' }),
  ],
  primaryKey: ['id'],
  uniques: [],
  relations: [{ name: 'maker', kind: 'to-one', model: 'Maker', fields: ['maker'], references: ['code'] }],
  readOnly: false,
  deprecated: false,
  count: { allowed: ['exact', 'none'] },
}

export const rules: ListRules = {
  model: product,
  paging: 'limit-offset',
  perPage: 100,
  maxLimit: 1000,
  secret: 'a secret of the tests',
  maxQueryBytes: 8192,
  maxConditions: 50,
  maxSorts: 8,
  maxDepth: 10,
}
