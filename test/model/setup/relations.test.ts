import { describe, expect, it } from 'vitest'
import type { ForeignKeyFacts } from '../../../src/model/foreign-keys.ts'
import { relationsOf } from '../../../src/model/setup/relations.ts'

/** `product_id -> Product`, `author -> Person`, `row,place -> Seat row,place`. */
const keyOf = (text: string, more: Partial<ForeignKeyFacts> = {}): ForeignKeyFacts => {
  const [fields = '', to = ''] = text.split(' -> ')
  const [model = '', references = 'id'] = to.split(' ')
  return { fields: fields.split(','), model, references: references.split(','), ...more }
}

type Key = string | ForeignKeyFacts

interface Columns {
  readonly fields?: string
  readonly key?: string
  readonly to?: readonly Key[]
}

const table = (name: string, { fields = '', key = 'id', to = [] }: Columns = {}) => {
  const foreignKeys = to.map((each) => (typeof each === 'string' ? keyOf(each) : each))
  const names = [key.split(','), fields.split(' '), foreignKeys.flatMap((each) => each.fields)].flat()
  const fieldNames = [...new Set(names)].filter((field) => field !== '')
  return { name, fields: fieldNames.map((each) => ({ name: each })), primaryKey: key.split(','), foreignKeys }
}

type Table = ReturnType<typeof table>

const namesIn = (tables: readonly Table[], model: string): readonly string[] =>
  relationsOf(tables)
    .get(model)
    ?.map(({ name }) => name) ?? []

const linesIn = (tables: readonly Table[], model: string): readonly string[] =>
  relationsOf(tables)
    .get(model)
    ?.map(({ name, kind, model: other, inverse, fields, references, through }) =>
      [
        `${name} ${kind} ${other}.${inverse}: ${fields} -> `,
        through === undefined ? '' : `${through.model}(${through.fields} -> ${through.references}) -> `,
        references,
      ].join(''),
    ) ?? []

describe('a relation to one record', () => {
  it.each([
    ['author_id', 'author'],
    ['authorId', 'author'],
    ['authorID', 'author'],
    ['author_ID', 'author'],
    ['written_by', 'written_by'],
  ])('over %s is named %s', (field, name) => {
    const tables = [table('Person'), table('Book', { fields: 'id', to: [`${field} -> Person`] })]
    // The field itself has the name.
    const expected = field === name ? 'person' : name
    expect(namesIn(tables, 'Book')).toEqual([expected])
  })

  it('over several fields is named after the model', () => {
    const tables = [table('SeatRow', { key: 'a,b' }), table('Ticket', { to: ['row_a,row_b -> SeatRow a,b'] })]
    expect(namesIn(tables, 'Ticket')).toEqual(['seatRow'])
  })

  it('has a free name if fields have all others', () => {
    const tables = [
      table('Person'),
      table('Book', { fields: 'author person authorPerson author_person2', to: ['author -> Person'] }),
    ]
    expect(namesIn(tables, 'Book')).toEqual(['authorPerson3'])
  })
})

describe('a relation to many records', () => {
  const item = (fields: string) => table('OrderItem', { fields, to: ['order -> Order'] })

  it.each([
    ['camelCase beside a camelCase field', 'createdAt', 'quantity unit_price', 'orderItems'],
    ['snake_case beside a snake_case field', 'created_at', 'quantity unitPrice', 'order_items'],
    ['the style of most fields', 'created_at createdBy updated_at', '', 'order_items'],
    ['the style of the other model, if words say nothing', 'total', 'unit_price', 'order_items'],
    [
      'the style of the other model, if there are as many',
      'createdBy created_at',
      'unit_price',
      'order_items',
    ],
    ['camelCase if nothing says it', 'total', 'price', 'orderItems'],
  ])('is in %s', (_what, own, others, name) => {
    expect(namesIn([table('Order', { fields: own }), item(others)], 'Order')).toEqual([name])
  })

  it('tells several keys apart by the names of the other side, in the same style', () => {
    const games = table('Game', { to: ['home_team_id -> Team', 'guestTeamId -> Team'] })
    const lines = [
      'home_team_games to-many Game.home_team: id -> home_team_id',
      'guest_team_games to-many Game.guestTeam: id -> guestTeamId',
    ]
    expect(linesIn([table('Team', { fields: 'short_name' }), games], 'Team')).toEqual(lines)
  })

  it('avoids the names of fields, in any style', () => {
    const tables = [
      table('Order', { fields: 'order_items createdAt updatedAt' }),
      table('OrderItem', { to: ['orderId -> Order'] }),
    ]
    expect(namesIn(tables, 'Order')).toEqual(['orderOrderItems'])
  })
})

const product = table('Product')
const tag = table('Tag')
const joining = (name: string, ...to: readonly Key[]): Table => {
  const keys = to.map((each) => (typeof each === 'string' ? keyOf(each) : each))
  return table(name, { key: [...new Set(keys.flatMap(({ fields }) => fields))].join(), to, fields: 'note' })
}
const productTag = joining('ProductTag', 'productId -> Product', 'tagId -> Tag')

describe('a join table', () => {
  it('gives a relation to many on either side, beside that to its own records', () => {
    const tables = [product, tag, productTag]
    expect(linesIn(tables, 'Product')).toEqual([
      'productTags to-many ProductTag.product: id -> productId',
      'tags to-many Tag.products: id -> ProductTag(productId -> tagId) -> id',
    ])
    expect(linesIn(tables, 'Tag')).toEqual([
      'productTags to-many ProductTag.tag: id -> tagId',
      'products to-many Product.tags: id -> ProductTag(tagId -> productId) -> id',
    ])
    expect(namesIn(tables, 'ProductTag')).toEqual(['product', 'tag'])
  })

  it('may have keys of several fields, which may have a field in common', () => {
    const tables = [
      table('Product', { key: 'tenant_id,id' }),
      table('Tag', { key: 'tenant_id,id' }),
      table('Tenant'),
      joining(
        'ProductTag',
        'tenant_id,product_id -> Product tenant_id,id',
        'tenant_id,tag_id -> Tag tenant_id,id',
        'tenant_id -> Tenant',
      ),
    ]
    const lines = [
      'tags to-many Tag.products: tenant_id,id -> ProductTag(tenant_id,product_id -> tenant_id,tag_id) -> tenant_id,id',
    ]
    expect(linesIn(tables, 'Product').slice(1)).toEqual(lines)
    expect(namesIn(tables, 'Tenant')).toEqual(['product_tags'])
  })

  it.each<[string, Table]>([
    ['with a key of its own', table('ProductTag', { to: ['productId -> Product', 'tagId -> Tag'] })],
    ['of three keys', joining('ProductTag', 'productId -> Product', 'tagId -> Tag', 'otherId -> Tag')],
    [
      'whose key has another field',
      table('ProductTag', { key: 'productId,tagId,since', to: ['productId -> Product', 'tagId -> Tag'] }),
    ],
    [
      'of which one key has all fields',
      table('ProductTag', { key: 'productId', to: ['productId -> Product', keyOf('productId -> Tag')] }),
    ],
    [
      'with one key beside its primary key',
      table('ProductTag', { key: 'productId,place', to: ['productId -> Product', 'tagId -> Tag'] }),
    ],
  ])('is not a table %s', (_what, other) => {
    const through = [...relationsOf([product, tag, other]).values()].flat().filter((each) => each.through)
    expect(through).toEqual([])
  })

  it('of one table has two names, by what a record is at the other end', () => {
    const tables = [table('Person'), joining('Follow', 'followerId -> Person', 'followedPersonId -> Person')]
    expect(linesIn(tables, 'Person')).toEqual([
      'followerFollows to-many Follow.follower: id -> followerId',
      'followedPersonFollows to-many Follow.followedPerson: id -> followedPersonId',
      'followers to-many Person.followedPeople: id -> Follow(followedPersonId -> followerId) -> id',
      'followedPeople to-many Person.followers: id -> Follow(followerId -> followedPersonId) -> id',
    ])
  })

  it('beside others to the same model is named by the role, then by the table', () => {
    const roles = [
      table('Book'),
      table('Person'),
      joining('BookAuthor', 'bookId -> Book', 'authorId -> Person'),
      joining('BookEditor', 'bookId -> Book', 'editorId -> Person'),
    ]
    expect(namesIn(roles, 'Book')).toEqual(['bookAuthors', 'bookEditors', 'authors', 'editors'])
    expect(namesIn(roles, 'Person').slice(2)).toEqual(['bookAuthorBooks', 'bookEditorBooks'])
    const label = joining('Label', 'productId -> Product', 'tagId -> Tag')
    expect(namesIn([product, tag, productTag, label], 'Product').slice(2)).toEqual([
      'labelTags',
      'productTagTags',
    ])
  })

  it('leaves their name to the records that refer to the model directly', () => {
    const tags = table('Tag', { to: ['productId -> Product'] })
    expect(namesIn([product, tags, productTag], 'Product')).toEqual([
      ...['tags', 'productTags', 'productTagTags'],
    ])
  })
})

describe('the names of the source', () => {
  const books = (...to: readonly ForeignKeyFacts[]) => [
    table('Person', { fields: 'works' }),
    table('Book', { fields: 'writer', to }),
  ]

  it('come first', () => {
    const tables = books(
      keyOf('authorId -> Person'),
      keyOf('editorId -> Person', { name: 'author', inverse: 'authorBooks' }),
    )
    expect(namesIn(tables, 'Book')).toEqual(['person', 'author'])
    expect(namesIn(tables, 'Person')).toEqual(['personBooks', 'authorBooks'])
  })

  it.each([
    ['that fields have', 'writer', 'works'],
    ['that no query can have', 'the-author', '_books'],
  ])('are not used %s', (_what, name, inverse) => {
    const tables = books(keyOf('authorId -> Person', { name, inverse }))
    expect([namesIn(tables, 'Book'), namesIn(tables, 'Person')]).toEqual([['author'], ['books']])
  })
})

it('a relation that the database does not check says so on both sides', () => {
  const tables = [table('Person'), table('Book', { to: [keyOf('authorId -> Person', { unchecked: true })] })]
  expect(relationsOf(tables).get('Book')).toMatchObject([{ name: 'author', unchecked: true }])
  expect(relationsOf(tables).get('Person')).toMatchObject([{ name: 'books', unchecked: true }])
})
