import type { Model } from '../../src/model/model.ts'
import type { ListRules } from '../../src/query/settings.ts'
import { fieldNamed as field, modelOf } from '../sample-model.ts'

/** A product with a field of every kind that a query treats differently. */
export const product: Model = modelOf(
  'Product',
  [
    field('id', 'integer', 'number', { hasDefault: true }),
    field('name', 'text', 'string', { maxLength: 100 }),
    field('price', 'decimal', 'string', { precision: 10, scale: 2 }),
    field('in_stock', 'boolean', 'boolean', { hasDefault: true }),
    field('note', 'text', 'string', { nullable: true }),
    field('status', 'enum', 'string', { values: ['draft', 'live'] }),
    field('released', 'datetime', 'date', { nullable: true, fractionDigits: 3 }),
    field('stock', 'bigint', 'bigint', { nullable: true }),
    field('data', 'json', 'json', { nullable: true, jsonPaths: true }),
    field('maker', 'text', 'string'),
    field('limit', 'integer', 'number', { nullable: true }),
    field('code', 'uuid', 'string', { nullable: true }),
    field('weight', 'float', 'number', { nullable: true }),
    field('day', 'date', 'string', { nullable: true }),
    field('opens', 'time', 'string', { nullable: true }),
    field('shown', 'localdatetime', 'string', { nullable: true }),
    field('thumb', 'bytes', 'bytes', { nullable: true }),
    field('address', 'token', 'string', { nullable: true }),
    field('tags', 'array', 'json', {
      ...{ nullable: true, comparesElements: true },
      element: { kind: 'text', form: 'string', nullable: false },
    }),
    field('password', 'text', 'string', { access: 'write-only' }),
    field('internal', 'text', 'string', { access: 'hidden' }),
  ],
  {
    relations: [
      {
        name: 'maker',
        kind: 'to-one',
        model: 'Maker',
        fields: ['maker'],
        references: ['code'],
        inverse: 'x',
      },
    ],
  },
)

export const rules: ListRules = {
  model: product,
  paging: ['limit-offset'],
  perPage: 100,
  maxLimit: 1000,
  secret: 'a secret of the tests',
  maxQueryBytes: 8192,
  maxConditions: 50,
  maxContains: 200,
  maxToMany: 4,
  maxSorts: 8,
  maxDepth: 10,
  countBound: 10_000,
  includePerRecord: 20,
  includeMaxPerRecord: 100,
  includeMaxDepth: 3,
  includeMaxRelations: 10,
  includeMaxRecords: 10_000,
  modelOf: () => product,
  relationsOf: () => new Map(),
  ...{ relatedSort: true, dateParts: true, countsDistinct: true, having: true },
}
