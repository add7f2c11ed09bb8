import type { Model, Relation } from '../../src/entry/source.ts'

/** What differs -> where: `{ 'scale is none': 'Book.price, CheapBook.price' }`. */
export type Differences = Readonly<Record<string, string>>

const shown = (value: unknown): string =>
  value === undefined
    ? 'none'
    : JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? `${inner}n` : inner))

type Link = Pick<Relation, 'model' | 'fields' | 'references' | 'through'>

/** `Book.authorId -> Author.id`: what a relation is, whatever its name. */
const linkOf = (model: Model, { model: other, fields, references, through }: Link): string =>
  `${model.name}.${fields} -> ${other}.${references}${through === undefined ? '' : ` through ${through.model}`}`

/** Members by their names, with what is told of each. */
const membersOf = (model: Model): ReadonlyMap<string, object> => {
  const { fields, relations, uniques, ...rest } = model
  return new Map<string, object>([
    [model.name, { ...rest, uniques: uniques.map((unique) => unique.toSorted().join()).toSorted() }],
    // What a text can be compared by follows from the capabilities of its source.
    ...fields.map(({ comparisons: _, ...field }) => [`${model.name}.${field.name}`, field] as const),
    // The name of the other side is told there.
    ...relations.map(({ inverse: _told, ...relation }) => [linkOf(model, relation), relation] as const),
  ])
}

/** Each part that a source describes in another way, without the order of models, fields and relations. */
export const differences = (found: readonly Model[], expected: readonly Model[]): Differences => {
  const [own, other] = [found, expected].map(
    (models) => new Map(models.flatMap((model) => [...membersOf(model)])),
  ) as [Map<string, object>, Map<string, object>]
  const all = [...new Set([...other.keys(), ...own.keys()])].flatMap((name): [string, string][] => {
    const [one, standard] = [own.get(name), other.get(name)]
    const [model = ''] = name.split(/[. ]/)
    if (one === undefined) return model === name || own.has(model) ? [['is missing', name]] : []
    if (standard === undefined) return [['is added', name]]
    return [...new Set([...Object.keys(standard), ...Object.keys(one)])]
      .map((part) => [part, shown(one[part as keyof object]), shown(standard[part as keyof object])] as const)
      .filter(([, value, usual]) => value !== usual)
      .map(([part, value]) => [`${part} is ${value}`, name])
  })
  const grouped = Map.groupBy(all, ([difference]) => difference)
  return Object.fromEntries(
    [...grouped].map(([difference, places]) => [difference, places.map(([, name]) => name).join(', ')]),
  )
}

/** Prisma has neither intervals, columns of types of its own nor local date-times. What refers to a UUID of MySQL is one too. */
export const ofPrisma = {
  pg: {
    'name is "books"': 'Author.id -> Book.authorId',
    'name is "translations"': 'Author.id -> Book.translatorId',
    'name is "children"': 'Category.id -> Category.parentId',
    'form is "date"': 'Book.publishedOn',
    'kind is "datetime"': 'Book.soldAt',
    'fractionDigits is 3': 'Book.soldAt, Book.opensAt',
    'comparesElements is none': 'Book.tags',
    'jsonPaths is none': 'Book.meta',
    'nullable is false': 'Book.tags',
    'element is {"nullable":false,"kind":"text","form":"string"}': 'Book.tags',
    'hasDefault is true': 'Book.tags',
    'default is []': 'Book.tags',
    'is missing': 'Book.loanPeriod, Book.signature, Book.titleLength',
  },
  mysql: {
    'jsonPaths is none': 'Book.meta, Book.tags',
    'conditions is "inexact"':
      'Author.name, Author.bio, Book.title, Review.reviewer, Review.note, Reply.reviewer, Reply.text, Oddity.name, Oddity.constructor, Oddity.toString, Oddity.valueOf, Oddity.hasOwnProperty, Oddity.then, Oddity.toJSON, CheapBook.title',
    'maxLength is 16777215': 'Author.bio',
    'name is "books"': 'Author.id -> Book.authorId',
    'name is "translations"': 'Author.id -> Book.translatorId',
    'name is "children"': 'Category.id -> Category.parentId',
    'kind is "uuid"': 'Book.id, Review.bookId, Placement.bookId, Reply.bookId',
    'maxLength is none': 'Book.id, Review.bookId, Placement.bookId, Reply.bookId',
    'form is "date"': 'Book.publishedOn',
    'kind is "datetime"': 'Book.soldAt',
    'fractionDigits is 3': 'Book.soldAt, Book.opensAt',
    'is missing': 'Book.loanPeriod, Book.signature, Book.titleLength',
    'maxLength is 191': 'Review.note',
  },
  sqlite: {
    'jsonPaths is none': 'Book.meta, Book.tags',
    'minimum is -2147483648':
      'Author.id, Category.id, Category.parentId, Book.pages, Book.authorId, Book.translatorId, Book.categoryId, Review.stars, Shelf.floor, Placement.copies, Reply.id, Oddity.id',
    'maximum is 2147483647':
      'Author.id, Category.id, Category.parentId, Book.pages, Book.authorId, Book.translatorId, Book.categoryId, Review.stars, Shelf.floor, Placement.copies, Reply.id, Oddity.id',
    'maxLength is none':
      'Author.name, Author.email, Category.name, Book.id, Book.title, Book.isbn, Review.bookId, Review.reviewer, Shelf.code, Placement.bookId, Placement.shelfCode, Reply.bookId, Reply.reviewer, Reply.text, Oddity.name, Oddity.constructor, Oddity.toString, Oddity.valueOf, Oddity.hasOwnProperty, Oddity.then, Oddity.toJSON, CheapBook.id, CheapBook.title',
    'literalOnly is true':
      'Author.name, Author.email, Author.bio, Category.name, Book.id, Book.title, Book.isbn, Book.publishedOn, Review.bookId, Review.reviewer, Review.note, Shelf.code, Placement.bookId, Placement.shelfCode, Reply.bookId, Reply.reviewer, Reply.text, Oddity.name, Oddity.constructor, Oddity.toString, Oddity.valueOf, Oddity.hasOwnProperty, Oddity.then, Oddity.toJSON, CheapBook.id, CheapBook.title',
    'name is "books"': 'Author.id -> Book.authorId',
    'name is "translations"': 'Author.id -> Book.translatorId',
    'name is "children"': 'Category.id -> Category.parentId',
    'form is "number"': 'Book.price, Book.discount, CheapBook.price',
    'precision is 15': 'Book.price, Book.discount, CheapBook.price',
    'scale is none': 'Book.price, Book.discount, CheapBook.price',
    'default is "0.05"': 'Book.discount',
    'is missing': 'Book.opensAt, Book.loanPeriod, Book.signature, Book.titleLength',
  },
} as const satisfies Readonly<Record<string, Differences>>

/** TypeORM returns 64-bit integers as strings, and SQLite keeps 15 digits of its decimals. */
export const ofTypeorm = {
  pg: {
    'form is "string"': 'Book.copies, Shelf.capacity',
  },
  mysql: {
    'maxLength is 16777215': 'Author.bio',
    'kind is "uuid"': 'Book.id, Review.bookId, Placement.bookId, Reply.bookId, CheapBook.id',
    'maxLength is none': 'Book.id, Review.bookId, Placement.bookId, Reply.bookId, CheapBook.id',
    'form is "string"': 'Book.copies, Shelf.capacity',
  },
  sqlite: {
    'kind is "uuid"': 'Book.id, Review.bookId, Placement.bookId, Reply.bookId, CheapBook.id',
    'maxLength is none': 'Book.id, Review.bookId, Placement.bookId, Reply.bookId, CheapBook.id',
    'form is "number"': 'Book.price, CheapBook.price',
    'is missing': 'Book.discount',
    'form is "string"': 'Book.copies, Shelf.capacity',
    'kind is "date"': 'Book.publishedOn',
    'kind is "time"': 'Book.opensAt',
    'fractionDigits is 3': 'Book.opensAt',
  },
} as const satisfies Readonly<Record<string, Differences>>

/** Associations of Sequelize have one attribute, instances cannot have the names of Oddity, and `sync` knows no view. */
export const ofSequelize = {
  pg: {
    'name is "books"': 'Author.id -> Book.authorId',
    'form is "string"': 'Book.copies, Shelf.capacity',
    'is missing':
      'Book.soldAt, Book.titleLength, Review.bookId,reviewer -> Reply.bookId,reviewer, Reply.bookId,reviewer -> Review.bookId,reviewer, Oddity, CheapBook',
    'minimum is 1': 'Review.stars',
    'maximum is 5': 'Review.stars',
    'uniques is ["bookId,shelfCode"]': 'Placement',
    'foreign is none': 'Reply.bookId, Reply.reviewer',
  },
  mysql: {
    'maxLength is 16777215': 'Author.bio',
    'name is "books"': 'Author.id -> Book.authorId',
    'kind is "uuid"': 'Book.id, Review.bookId, Placement.bookId, Reply.bookId',
    'maxLength is none': 'Book.id, Review.bookId, Placement.bookId, Reply.bookId',
    'form is "string"': 'Book.copies, Shelf.capacity',
    'is missing':
      'Book.soldAt, Book.titleLength, Review.bookId,reviewer -> Reply.bookId,reviewer, Reply.bookId,reviewer -> Review.bookId,reviewer, Oddity, CheapBook',
    'fractionDigits is 0': 'Book.opensAt',
    'minimum is 1': 'Review.stars',
    'maximum is 5': 'Review.stars',
    'uniques is ["bookId,shelfCode"]': 'Placement',
    'foreign is none': 'Reply.bookId, Reply.reviewer',
  },
  sqlite: {
    'name is "books"': 'Author.id -> Book.authorId',
    'kind is "uuid"': 'Book.id, Review.bookId, Placement.bookId, Reply.bookId',
    'maxLength is none': 'Book.id, Review.bookId, Placement.bookId, Reply.bookId',
    'form is "number"': 'Book.price',
    'is missing':
      'Book.discount, Book.titleLength, Review.bookId,reviewer -> Reply.bookId,reviewer, Reply.bookId,reviewer -> Review.bookId,reviewer, Oddity, CheapBook',
    'form is "string"': 'Book.copies, Shelf.capacity',
    'kind is "date"': 'Book.publishedOn',
    'kind is "time"': 'Book.opensAt',
    'fractionDigits is 3': 'Book.opensAt',
    'maxLength is 50': 'Book.loanPeriod',
    'minimum is 1': 'Review.stars',
    'maximum is 5': 'Review.stars',
    'uniques is ["bookId,shelfCode"]': 'Placement',
    'foreign is none': 'Reply.bookId, Reply.reviewer',
  },
} as const satisfies Readonly<Record<string, Differences>>

/** MikroORM refuses properties with the name `constructor`, has unsigned keys in MySQL, and 15 digits of decimals in SQLite. */
export const ofMikroOrm = {
  pg: { 'is missing': 'Oddity.constructor' },
  mysql: {
    'minimum is 0':
      'Author.id, Category.id, Category.parentId, Book.authorId, Book.translatorId, Book.categoryId, Reply.id, Oddity.id',
    'maximum is 4294967295':
      'Author.id, Category.id, Category.parentId, Book.authorId, Book.translatorId, Book.categoryId, Reply.id, Oddity.id',
    'maxLength is 16777215': 'Author.bio',
    'kind is "uuid"': 'Book.id, Review.bookId, Placement.bookId, Reply.bookId, CheapBook.id',
    'maxLength is none': 'Book.id, Review.bookId, Placement.bookId, Reply.bookId, CheapBook.id',
    'kind is "datetime"': 'Book.soldAt',
    'is missing': 'Oddity.constructor',
  },
  sqlite: {
    'kind is "uuid"': 'Book.id, Review.bookId, Placement.bookId, Reply.bookId, CheapBook.id',
    'maxLength is none': 'Book.id, Review.bookId, Placement.bookId, Reply.bookId, CheapBook.id',
    'is missing': 'Book.discount, Oddity.constructor',
    'kind is "date"': 'Book.publishedOn',
    'kind is "time"': 'Book.opensAt',
    'fractionDigits is 3': 'Book.opensAt',
  },
} as const satisfies Readonly<Record<string, Differences>>
