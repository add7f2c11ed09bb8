import fc from 'fast-check'
import type { Records } from './graph.ts'

const small = fc.integer({ min: 1, max: 3 })
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { freq: 3 })
const numbered = <Row extends object>(row: fc.Arbitrary<Row>, maxLength: number) =>
  fc.array(row, { maxLength }).map((rows) => rows.map((each, at) => ({ id: at + 1, ...each })))
const name = maybe(fc.constantFrom('a', 'b', 'B', ''))

/** Records of the graph, few and alike, so that many refer to each other and to nothing. */
export const anyRecords: fc.Arbitrary<Records> = fc.record({
  Order: numbered(
    fc.record({
      ...{ title: name, customer_id: maybe(small), parent_id: maybe(small), audit_id: fc.constant(null) },
      ...{ line_region: maybe(fc.constantFrom('n', 's')), line_number: maybe(small) },
      ...{ total: maybe(fc.constantFrom('1.00', '2.50')), placed: fc.constant(null), secret: name },
      ...{ 'customer.name': name, sort: name, 'group(1': name },
    }),
    7,
  ),
  Customer: numbered(fc.record({ name, age: maybe(small), secret: name, data: fc.constant(null) }), 3),
  Item: numbered(
    fc.record({
      ...{ order_id: maybe(small), price: maybe(small), quantity: maybe(small), product_id: maybe(small) },
      ...{ limit: name, order: name, 'a;b': name },
    }),
    6,
  ),
  Product: numbered(fc.record({ name, secret: name }), 3),
  Line: fc.uniqueArray(fc.record({ region: fc.constantFrom('n', 's'), number: small, name }), {
    ...{ maxLength: 4, selector: (line: { region: string; number: number }) => line.region + line.number },
  }),
  Tag: numbered(fc.record({ name }), 3),
  OrderTag: fc.uniqueArray(fc.record({ order_id: small, tag_id: small, rank: maybe(small) }), {
    ...{
      maxLength: 5,
      selector: (row: { order_id: number; tag_id: number }) => 10 * row.order_id + row.tag_id,
    },
  }),
  Audit: fc.constant([]),
})
