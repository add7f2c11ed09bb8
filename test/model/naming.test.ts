import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  irregular,
  type ModelNameOf,
  modelNameOf,
  pathOf,
  plural,
  singular,
  wordsOf,
} from '../../src/model/naming.ts'

/** Words that the suffixes inflect: [singular, plural]. */
const wordPairs = [
  ['product', 'products'],
  ['item', 'items'],
  ['category', 'categories'],
  ['company', 'companies'],
  ['query', 'queries'],
  ['day', 'days'],
  ['key', 'keys'],
  ['status', 'statuses'],
  ['bus', 'buses'],
  ['virus', 'viruses'],
  ['address', 'addresses'],
  ['class', 'classes'],
  ['process', 'processes'],
  ['business', 'businesses'],
  ['analysis', 'analyses'],
  ['hypothesis', 'hypotheses'],
  ['diagnosis', 'diagnoses'],
  ['person', 'people'],
  ['salesperson', 'salespeople'],
  ['child', 'children'],
  ['man', 'men'],
  ['woman', 'women'],
  ['shelf', 'shelves'],
  ['box', 'boxes'],
  ['tax', 'taxes'],
  ['index', 'indexes'],
  ['batch', 'batches'],
  ['branch', 'branches'],
  ['match', 'matches'],
  ['search', 'searches'],
  ['hash', 'hashes'],
  ['video', 'videos'],
  ['house', 'houses'],
  ['warehouse', 'warehouses'],
  ['cause', 'causes'],
  ['clause', 'clauses'],
  ['case', 'cases'],
  ['base', 'bases'],
  ['database', 'databases'],
  ['schema', 'schemas'],
  ['price', 'prices'],
  ['invoice', 'invoices'],
] as const

/** [key of the table map, model name, path] */
const tableKeys = [
  ['products', 'Product', 'products'],
  ['orderItems', 'OrderItem', 'order-items'],
  ['orderItemsTable', 'OrderItem', 'order-items'],
  ['order_items', 'OrderItem', 'order-items'],
  ['order_items_table', 'OrderItem', 'order-items'],
  ['OrderItems', 'OrderItem', 'order-items'],
  ['OrderItemsTable', 'OrderItem', 'order-items'],
  ['orderItem', 'OrderItem', 'order-items'],
  ['ORDER_ITEMS', 'OrderItem', 'order-items'],
  ['categories', 'Category', 'categories'],
  ['people', 'Person', 'people'],
  ['status', 'Status', 'statuses'],
  ['orderStatuses', 'OrderStatus', 'order-statuses'],
  ['ipAddresses', 'IpAddress', 'ip-addresses'],
  ['newsItems', 'NewsItem', 'news-items'],
  ['news', 'News', 'news'],
  ['timeSeries', 'TimeSeries', 'time-series'],
  ['peopleTable', 'Person', 'people'],
  ['salesData', 'SalesData', 'sales-data'],
  ['users_to_groups', 'UsersToGroup', 'users-to-groups'],
  ['oauth2Tokens', 'Oauth2Token', 'oauth2-tokens'],
  ['address2', 'Address2', 'address2s'],
  ['apiURLs', 'ApiURL', 'api-urls'],
  ['userIDs', 'UserID', 'user-ids'],
  ['HTTPRequests', 'HTTPRequest', 'http-requests'],
  ['table', 'Table', 'tables'],
  ['Table', 'Table', 'tables'],
  ['timetables', 'Timetable', 'timetables'],
  ['_private', 'Private', 'privates'],
  ['x', 'X', 'xes'],
  ['s', 'S', 'ses'],
] as const

/** What the type level gets wrong: `tsc` refuses the constants below where there is anything. */
type WrongPair<Pair> = Pair extends readonly [infer One extends string, infer Many extends string]
  ? Same<[ModelNameOf<Many>, ModelNameOf<One>], [Capitalize<One>, Capitalize<One>]> extends true
    ? never
    : Pair
  : Pair
type WrongKey<Row> = Row extends readonly [infer Key extends string, infer Name extends string, string]
  ? Same<ModelNameOf<Key>, Name> extends true
    ? never
    : Row
  : Row
type WrongWord<Words> = {
  [One in keyof Words & string]: Words[One] extends string
    ? Same<[ModelNameOf<Words[One]>, ModelNameOf<One>], [Capitalize<One>, Capitalize<One>]> extends true
      ? never
      : One
    : Same<ModelNameOf<One>, Capitalize<One>> extends true
      ? never
      : One
}[keyof Words & string]
type Same<Left, Right> = [Left, Right] extends [Right, Left] ? true : false
type None<Wrong> = [Wrong] extends [never] ? 0 : Wrong

describe('words', () => {
  it('are the same at type level', () => {
    const wrongPairs: None<WrongPair<(typeof wordPairs)[number]>> = 0
    const wrongKeys: None<WrongKey<(typeof tableKeys)[number]>> = 0
    const wrongWords: None<WrongWord<typeof irregular>> = 0
    expect([wrongPairs, wrongKeys, wrongWords]).toEqual([0, 0, 0])
  })

  it.each(wordPairs)('%s, %s', (one, many) => {
    expect([plural(one), singular(many), singular(one)]).toEqual([many, one, one])
  })

  it('come back from their plural where they are in the table', () => {
    for (const word of Object.keys(irregular)) {
      expect([word, singular(plural(word)), singular(word)]).toEqual([word, word, word])
    }
    expect(singular('indices')).toBe('index')
  })

  it('are never inflected to nothing', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,12}$/), (word) => {
        expect(singular(word)).not.toBe('')
        expect(plural(word).length).toBeGreaterThanOrEqual(2)
      }),
    )
  })
})

describe('model names', () => {
  it.each(tableKeys)('%s is %s under /%s', (key, name, path) => {
    expect([modelNameOf(key), pathOf(name)]).toEqual([name, path])
  })

  it('inflect the last word of a compound alone', () => {
    expect([plural('OrderItem'), plural('SalesPerson'), singular('NewsItems')]).toEqual([
      'OrderItems',
      'SalesPeople',
      'NewsItem',
    ])
  })

  it('are a union for a union of keys', () => {
    const names: readonly ModelNameOf<'orderItems' | 'people'>[] = ['OrderItem', 'Person']
    // @ts-expect-error: no mixture of the two
    const mixture: ModelNameOf<'orderItems' | 'people'> = 'OrderPerson'
    expect(names).not.toContain(mixture)
  })
})

it.each([
  ['resetToken2', ['reset', 'token', '2']],
  ['api_key', ['api', 'key']],
  ['APIKey', ['api', 'key']],
  ['password', ['password']],
  ['Straßen-Name', ['straßen', 'name']],
  ['', []],
])('the words of %s', (name, words) => {
  expect(wordsOf(name)).toEqual(words)
})
