import { type Columns, counted, type Declared, int, maybe, text, to } from '../../stage/columns.ts'
import { declare } from '../../stage/declared.ts'

const key = { key: 'given' } as const

const books: Columns = {
  ...{
    id: counted,
    title: text(10),
    code: maybe(10, { unique: 'books_code_key' }),
    pages: int({ default: 100 }),
  },
  ...{ revision: int({ default: 1 }), deleted_at: maybe('time') },
}
// Only the database knows how many stars there are at most.
const reviews: Columns = { id: counted, book_id: to('books'), stars: int({ check: 'stars <= 5' }) }

/** What every ORM declares. */
export const small: Declared = { books, reviews }

/** Books can be restored, and have reviews and tags. */
export const declared: Declared = {
  books: {
    ...books,
    // Without fractional seconds: most writes come within a second of the one before.
    changed: { type: 'seconds', default: new Date('2026-01-01T00:00:00.000Z') },
    ...{ updated_at: maybe('time'), created_by: maybe(10), updated_by: maybe(10) },
  },
  reviews,
  tags: { id: int(key), name: text(10) },
  bookTags: { book_id: to('books', key), tag_id: to('tags', key) },
}

/** There are tags 1 to 3. */
export const library = declare(declared, {
  audit: true,
  rows: ["insert into tags (id, name) values (1, 'red'), (2, 'blue'), (3, 'grey')"],
})
