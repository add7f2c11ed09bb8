import type { Mode } from './stage.ts'

export interface Book {
  readonly title: string
  readonly code: string | null
  readonly pages: number
  readonly created_by: string | null
  readonly updated_by: string | null
  readonly isDeleted: boolean
  /** How often its version was raised. */
  readonly raised: number
}

export interface Review {
  readonly book_id: number
  readonly stars: number
}

/** All that is stored. */
export interface World {
  readonly books: ReadonlyMap<number, Book>
  readonly reviews: ReadonlyMap<number, Review>
  /** Books and tags: `1,2`. */
  readonly links: ReadonlySet<string>
}

export const emptyWorld: World = { books: new Map(), reviews: new Map(), links: new Set() }

/** An entry of the audit log, without its time. Times in it are `<time>`. */
export interface AuditEntry {
  readonly caller: string | null
  readonly act: string
  readonly model: string
  readonly record: string
  readonly changes: Readonly<Record<string, { readonly before?: unknown; readonly after?: unknown }>>
}

/** An error that a client gets. */
export class Refused extends Error {
  readonly status: number
  readonly code: string
  /** Each issue with its pointer. */
  readonly issues: readonly string[] | 'not compared'

  constructor(status: number, code: string, issues: Refused['issues'] = []) {
    super(`${status} ${code}`)
    this.status = status
    this.code = code
    this.issues = issues
  }
}

/** What the database gives to new records. */
export interface NewIds {
  readonly books: number[]
  readonly reviews: number[]
}

export interface Circumstances {
  readonly mode: Mode
  readonly isWhole: boolean
  readonly caller: string | null
  readonly newIds: NewIds
}

type Values = Partial<Pick<Book, 'title' | 'code' | 'pages'>>

const TIME = '<time>'

/** A transaction, in plain code: its writes happen one after the other, and all of them or none. */
export class Writing {
  readonly books: Map<number, Book>
  readonly reviews: Map<number, Review>
  readonly links: Set<string>
  readonly entries: AuditEntry[] = []
  readonly #circumstances: Circumstances

  constructor({ books, reviews, links }: World, circumstances: Circumstances) {
    this.books = new Map(books)
    this.reviews = new Map(reviews)
    this.links = new Set(links)
    this.#circumstances = circumstances
  }

  /** The key of a record that the database has not stored, because a later one was refused. */
  #unknown(): number {
    return -1 - this.books.size - this.reviews.size
  }

  living(id: number): Book {
    const book = this.books.get(id)
    if (book === undefined || book.isDeleted) throw new Refused(404, 'not_found')
    return book
  }

  /** @param path of the record in the body @param isNamed whether the caller is told that a deleted book has the value */
  createBook(values: Values, path: string, isNamed: boolean): number {
    const { caller, isWhole, newIds } = this.#circumstances
    this.#assertFree(values.code, undefined, path, isNamed)
    const stamp = isWhole ? caller : null
    const book: Book = {
      ...{ title: '', code: null, pages: 100, ...values },
      ...{ created_by: stamp, updated_by: stamp, isDeleted: false, raised: 0 },
    }
    const id = newIds.books.shift() ?? this.#unknown()
    this.books.set(id, book)
    this.#record('create', 'Book', String(id), undefined, this.#shown(id, book))
    return id
  }

  changeBook(id: number, values: Values, path: string, isNamed: boolean): void {
    const { caller, isWhole } = this.#circumstances
    if (Object.keys(values).length === 0) return
    const book = this.living(id)
    this.#assertFree(values.code, id, path, isNamed)
    this.#storeBook(id, { ...book, ...values, ...(isWhole && { updated_by: caller }) })
  }

  /** Something that belongs to the book is written. */
  touchBook(id: number): void {
    if (this.#circumstances.mode !== 'hash') this.#storeBook(id, this.living(id))
  }

  deleteBook(id: number): void {
    const book = this.living(id)
    this.books.set(id, { ...book, isDeleted: true, raised: book.raised + 1 })
    this.#record('delete', 'Book', String(id), this.#shown(id, book), undefined)
  }

  restoreBook(id: number): void {
    const { caller, isWhole } = this.#circumstances
    const book = this.books.get(id)
    if (book?.isDeleted !== true) throw new Refused(404, 'not_found')
    this.#storeBook(id, { ...book, isDeleted: false, ...(isWhole && { updated_by: caller }) })
  }

  createReview(review: Review): void {
    const id = this.#circumstances.newIds.reviews.shift() ?? this.#unknown()
    this.reviews.set(id, review)
    this.#record('create', 'Review', String(id), undefined, { id, ...review })
  }

  changeReview(id: number, values: Partial<Review>): void {
    const review = this.reviews.get(id)
    if (review === undefined) throw new Refused(404, 'not_found')
    this.reviews.set(id, { ...review, ...values })
    this.#record('update', 'Review', String(id), { id, ...review }, { id, ...review, ...values })
  }

  deleteReview(id: number): void {
    const review = this.reviews.get(id)
    if (review === undefined) throw new Refused(404, 'not_found')
    this.reviews.delete(id)
    this.#record('delete', 'Review', String(id), { id, ...review }, undefined)
  }

  /** The tags that a book is to have. */
  link(id: number, tags: readonly number[]): void {
    const wanted = new Set(tags.map((tag) => `${id},${tag}`))
    const linkOf = (link: string) => {
      const [book_id, tag_id] = link.split(',').map(Number)
      return { book_id, tag_id }
    }
    for (const link of [...this.links].filter((one) => one.startsWith(`${id},`) && !wanted.has(one))) {
      this.links.delete(link)
      this.#record('delete', 'BookTag', link, linkOf(link), undefined)
    }
    for (const link of wanted) {
      if (this.links.has(link)) continue
      if (Number(linkOf(link).tag_id) > 3) throw new Refused(422, 'invalid_body', 'not compared')
      this.links.add(link)
      this.#record('create', 'BookTag', link, undefined, linkOf(link))
    }
  }

  #storeBook(id: number, book: Book): void {
    const before = this.books.get(id)
    const after = { ...book, raised: book.raised + 1 }
    this.books.set(id, after)
    this.#record('update', 'Book', String(id), before && this.#shown(id, before), this.#shown(id, after))
  }

  #assertFree(
    code: string | null | undefined,
    own: number | undefined,
    path: string,
    isNamed: boolean,
  ): void {
    if (code === undefined || code === null) return
    const holder = [...this.books].find(([id, book]) => book.code === code && id !== own)?.[1]
    if (holder === undefined) return
    const issue = holder.isDeleted && isNamed ? 'taken_by_deleted' : 'taken'
    throw new Refused(409, 'unique_conflict', [`${path}/code ${issue}`])
  }

  #shown(id: number, book: Book): Readonly<Record<string, unknown>> {
    const { mode } = this.#circumstances
    return {
      ...{ id, title: book.title, code: book.code, pages: book.pages },
      revision: mode === 'counter' ? 1 + book.raised : 1,
      // Whether it changes is compared apart.
      changed: mode === 'time' ? book.raised : 0,
      ...{ deleted_at: book.isDeleted ? TIME : null, updated_at: TIME },
      ...{ created_by: book.created_by, updated_by: book.updated_by },
    }
  }

  #record(
    act: string,
    model: string,
    record: string,
    before: object | undefined,
    after: object | undefined,
  ): void {
    const { caller, isWhole } = this.#circumstances
    if (!isWhole) return
    const valueIn = (row: object, name: string): unknown => {
      const value: unknown = Reflect.get(row, name)
      return name === 'changed' ? TIME : value
    }
    const names = Object.keys(before ?? after ?? {}).filter(
      (name) =>
        before === undefined || after === undefined || Reflect.get(before, name) !== Reflect.get(after, name),
    )
    const changes = Object.fromEntries(
      names.map((name) => [
        name,
        {
          ...(before && { before: valueIn(before, name) }),
          ...(after && { after: valueIn(after, name) }),
        },
      ]),
    )
    if (names.length > 0) this.entries.push({ caller, act, model, record, changes })
  }
}
