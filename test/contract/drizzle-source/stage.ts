import { beforeEach, vi } from 'vitest'
import type { Model } from '../../../src/model/model.ts'
import type { Tables } from '../../../src/source/drizzle/index.ts'
import type { Awaitable, ModelSource, RecordStore, Row } from '../../../src/source/source.ts'
import type { MysqlKind } from '../../servers/test-mysql.ts'

/** A source of the library's models on an empty database that has their tables. */
export interface Connected {
  readonly source: ModelSource
  /** What its models were made from. */
  readonly tables: Tables
  /** Runs statements on the database itself. */
  execute(statements: string): Awaitable<unknown>
  /** How many statements were prepared until now. */
  prepared(): number
  /** The server with its settings. Absent: another database. */
  readonly server?: MysqlKind | 'pg'
  /** Makes something that its field cannot hold exactly of all books. */
  readonly spoil: { readonly statement: string; readonly field: string }
  /** Whether the columns of this database can hold a value. Absent: they can hold all. */
  holds?(field: string, value: unknown): boolean
  /** From now on the database is not there. */
  kill(): Awaitable<unknown>
  close(): Awaitable<unknown>
}

/** Counts the statements that a database of drizzle prepares. */
export const preparedBy = (db: object): Connected['prepared'] => {
  const session: { prepareQuery: (query: object) => unknown } = Reflect.get(db, 'session')
  const { mock } = vi.spyOn(session, 'prepareQuery')
  return () => mock.calls.length
}

export type Connect = () => Promise<Connected>

/** What the parts of the contract work with. The database is there from `beforeAll` on, and empty before each test. */
export interface Stage {
  connected(): Connected
  model(name: string): Model
  store(name: string): RecordStore
  author(): Promise<Row>
  book(values?: Row): Promise<Row>
}

export const stageOf = (connected: () => Connected): Stage => {
  const model = (name: string): Model => {
    const found = connected().source.models.find((candidate) => candidate.name === name)
    if (found === undefined) throw new Error(`no model ${name}`)
    return found
  }
  const stores = new Map<string, RecordStore>()
  const store = (name: string): RecordStore => {
    const known = stores.get(name) ?? connected().source.store(model(name))
    stores.set(name, known)
    return known
  }
  const author = async () => store('Author').create({ name: 'Stanisław Lem' })
  let made = 0
  const book = async (values: Row = {}) => {
    made += 1
    const authorId = values['authorId'] ?? (await author())['id']
    return store('Book').create({ ...plainBook, isbn: `isbn ${made}`, ...values, authorId })
  }
  beforeEach(() =>
    connected().execute(
      'delete from reviews; delete from books; delete from categories; delete from authors; delete from shelves; delete from oddities',
    ),
  )
  return { connected, model, store, author, book }
}

/** What a book must have, but for its author and its number. */
const plainBook: Row = {
  title: 'Solaris',
  price: '9.90',
  pages: 204,
  printedAt: new Date('2026-01-31T23:59:59.123Z'),
}

/** The error of an act, whether it is thrown or a promise is rejected. */
export const errorOf = async (act: () => Awaitable<unknown>): Promise<unknown> => {
  try {
    await act()
  } catch (error) {
    return error
  }
  throw new Error('the act was not refused')
}
