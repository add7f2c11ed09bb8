import { counted, type Declared, int, maybe, text, to } from '../../stage/columns.ts'
import { declare } from '../../stage/declared.ts'

const key = { key: 'given' } as const
const deleted_at = maybe('seconds')

/** A library: shelves and books can be restored, tags too; reviews and the links between books and tags cannot. */
export const declared: Declared = {
  shelves: { id: counted, title: text(40), deleted_at },
  books: {
    ...{ id: counted, title: text(40), code: maybe(40, { unique: true }), pages: int({ default: 100 }) },
    ...{ tenant: int({ default: 1 }), shelf_id: to('shelves', { nullable: true }), deleted_at },
  },
  reviews: { id: counted, stars: int(), book_id: to('books') },
  tags: { id: counted, name: text(40), deleted_at },
  bookTags: { book_id: to('books', key), tag_id: to('tags', key) },
}

/**
 * Shelves 1 `new` and 2 `old`; books 1 `Dune` and 2 `Emma` on shelf 1, book 3 `Faust` on shelf 2, each with a review; tags 1 `red`
 * and 2 `blue`, both of book 1.
 */
export const around = {
  rows: [
    "insert into shelves (title) values ('new'), ('old')",
    `insert into books (title, code, pages, shelf_id) values ('Dune', 'd', 100, 1), ('Emma', 'e', 200, 1), ('Faust', 'f', 400, 2)`,
    'insert into reviews (stars, book_id) values (5, 1), (4, 2), (3, 3)',
    "insert into tags (name) values ('red'), ('blue')",
    'insert into book_tags (book_id, tag_id) values (1, 1), (1, 2)',
  ],
}

export const library = declare(declared, around)
