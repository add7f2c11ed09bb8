import { DrizzleQueryError } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { readRefusal } from '../../../src/source/drizzle/errors.ts'
import { readPgError } from '../../../src/source/drizzle/pg-errors.ts'
import { readSqliteError } from '../../../src/source/drizzle/sqlite-errors.ts'

const failure = (message: string, facts: object = {}): Error => Object.assign(new Error(message), facts)

const wrapped = (cause: Error): Error => new DrizzleQueryError('select 1', ['secret'], cause)

describe('errors of SQLite drivers', () => {
  const read = (error: unknown) => readRefusal(error, readSqliteError)

  it.each([
    [
      'SQLITE_CONSTRAINT_UNIQUE',
      'UNIQUE constraint failed: books.isbn',
      { kind: 'unique', columns: ['isbn'] },
    ],
    [
      'SQLITE_CONSTRAINT_PRIMARYKEY',
      'UNIQUE constraint failed: reviews.book_id, reviews.reviewer',
      { kind: 'unique', columns: ['book_id', 'reviewer'] },
    ],
    ['SQLITE_CONSTRAINT_UNIQUE', `UNIQUE constraint failed: index 'lower_name'`, { kind: 'unique' }],
    [
      'SQLITE_CONSTRAINT_NOTNULL',
      'NOT NULL constraint failed: b.a.c',
      { kind: 'not-null', columns: ['a.c'] },
    ],
    ['SQLITE_CONSTRAINT_CHECK', 'CHECK constraint failed: stars', { kind: 'check', check: 'stars' }],
    ['SQLITE_CONSTRAINT_FOREIGNKEY', 'FOREIGN KEY constraint failed', { kind: 'foreign-key' }],
    ['SQLITE_CONSTRAINT_TRIGGER', 'what a trigger said', { kind: 'check' }],
    [
      'SQLITE_CONSTRAINT_DATATYPE',
      'cannot store TEXT value in INTEGER column b.pages',
      { kind: 'value', columns: ['pages'] },
    ],
    ['SQLITE_MISMATCH', 'datatype mismatch', { kind: 'value' }],
    ['SQLITE_TOOBIG', 'string or blob too big', { kind: 'value' }],
    ['SQLITE_BUSY', 'database is locked', { kind: 'contended' }],
    ['SQLITE_BUSY_SNAPSHOT', 'database is locked', { kind: 'contended' }],
    ['SQLITE_LOCKED_SHAREDCACHE', 'database table is locked', { kind: 'contended' }],
    ['SQLITE_IOERR_WRITE', 'disk I/O error', { kind: 'unavailable' }],
    ['SQLITE_FULL', 'database or disk is full', { kind: 'unavailable' }],
    ['SQLITE_READONLY_DBMOVED', 'attempt to write a readonly database', { kind: 'unavailable' }],
    ['SQLITE_CANTOPEN', 'unable to open database file', { kind: 'unavailable' }],
  ])('%s: %s', (code, message, expected) => {
    expect(read(failure(message, { code }))).toEqual(expected)
    expect(read(wrapped(failure(message, { code })))).toEqual(expected)
  })

  it('in the form of libsql and D1', () => {
    const libsql = failure('SQLITE_CONSTRAINT: SQLite error: UNIQUE constraint failed: b.isbn', {
      code: 'SQLITE_CONSTRAINT',
      extendedCode: 'SQLITE_CONSTRAINT_UNIQUE',
    })
    expect(read(wrapped(libsql))).toEqual({ kind: 'unique', columns: ['isbn'] })
    const d1 = failure('D1_ERROR: UNIQUE constraint failed: b.isbn: SQLITE_CONSTRAINT')
    expect(read(wrapped(d1))).toEqual({ kind: 'unique', columns: ['isbn'] })
    expect(read(failure('x', { code: 'SQLITE_BUSY', extendedCode: 'SQLITE_BUSY_TIMEOUT' }))).toEqual({
      kind: 'contended',
    })
    expect(read(failure('x', { code: 'TRANSACTION_ACTIVE' }))).toEqual({ kind: 'contended' })
  })

  it.each(['no such table: books', 'near "x": syntax error', 'SQLITE_CORRUPT'])(
    'leaves %s alone',
    (message) => {
      expect(read(failure(message, { code: 'SQLITE_ERROR' }))).toBeUndefined()
    },
  )
})

describe('errors of PostgreSQL drivers', () => {
  const read = (error: unknown) => readRefusal(error, readPgError)

  it.each([
    ['23505', { detail: 'Key (isbn)=(1) already exists.' }, { kind: 'unique', columns: ['isbn'] }],
    [
      '23505',
      { detail: 'Key (book_id, "Reviewer ""x""")=(1, a)=(b) already exists.' },
      { kind: 'unique', columns: ['book_id', 'Reviewer "x"'] },
    ],
    ['23505', { detail: 'Ключ "(isbn)=(1)" уже существует.' }, { kind: 'unique', columns: ['isbn'] }],
    ['23505', {}, { kind: 'unique', columns: [] }],
    [
      '23P01',
      { detail: 'Key (room)=(1) conflicts with existing key (room)=(1).' },
      { kind: 'unique', columns: ['room'] },
    ],
    ['23502', { column: 'title' }, { kind: 'not-null', columns: ['title'] }],
    ['23502', { column_name: 'title' }, { kind: 'not-null', columns: ['title'] }],
    ['23514', { constraint: 'stars' }, { kind: 'check', check: 'stars' }],
    ['23514', { constraint_name: 'stars' }, { kind: 'check', check: 'stars' }],
    ['23503', {}, { kind: 'foreign-key' }],
    ['23001', {}, { kind: 'foreign-key' }],
    ['P0001', {}, { kind: 'check' }],
    ['44000', {}, { kind: 'check' }],
    ['22001', {}, { kind: 'value' }],
    ['22003', {}, { kind: 'value' }],
    ['22007', {}, { kind: 'value' }],
    ['22008', {}, { kind: 'value' }],
    ['22021', {}, { kind: 'value' }],
    ['22P02', {}, { kind: 'value' }],
    ['08001', {}, { kind: 'unavailable' }],
    ['08006', {}, { kind: 'lost' }],
    ['08P01', {}, { kind: 'lost' }],
    ['25006', {}, { kind: 'unavailable' }],
    ['25P03', {}, { kind: 'lost' }],
    ['25P04', {}, { kind: 'lost' }],
    ['57P01', {}, { kind: 'lost' }],
    ['57P02', {}, { kind: 'lost' }],
    ['57P03', {}, { kind: 'unavailable' }],
    ['57014', {}, { kind: 'unavailable' }],
    ['53100', {}, { kind: 'unavailable' }],
    ['53300', {}, { kind: 'unavailable' }],
    ['58030', {}, { kind: 'unavailable' }],
    ['40001', {}, { kind: 'contended' }],
    ['40003', {}, { kind: 'lost' }],
    ['40P01', {}, { kind: 'contended' }],
    ['55P03', {}, { kind: 'unavailable' }],
  ])('%s with %o', (code, facts, expected) => {
    expect(read(wrapped(failure('x', { code, ...facts })))).toMatchObject(expected)
  })

  it.each(['42P01', '42703', '42501', '25P02', 'XX000'])('leaves %s alone', (code) => {
    expect(read(wrapped(failure('x', { code })))).toBeUndefined()
  })
})

describe('lost connections', () => {
  const none = () => undefined

  it.each([
    ['connect ECONNREFUSED 127.0.0.1:5432', { code: 'ECONNREFUSED' }],
    ['getaddrinfo ENOTFOUND db', { code: 'ENOTFOUND' }],
    ['write CONNECTION_ENDED db:5432', { code: 'CONNECTION_ENDED' }],
    ['write CONNECT_TIMEOUT db:5432', { code: 'CONNECT_TIMEOUT' }],
    ['The client is closed', { code: 'CLIENT_CLOSED' }],
    ['The database connection is not open', {}],
    ['PGlite is closed', {}],
    ['timeout expired', {}],
    ['timeout exceeded when trying to connect', {}],
    ['Connection terminated due to connection timeout', {}],
    ['Cannot use a pool after calling end on the pool', {}],
  ])('%s: nothing was sent', (message, facts) => {
    expect(readRefusal(wrapped(failure(message, facts)), none)).toEqual({ kind: 'unavailable' })
  })

  it.each([
    ['read ECONNRESET', { code: 'ECONNRESET' }],
    ['write EPIPE', { code: 'EPIPE' }],
    ['write CONNECTION_CLOSED db:5432', { code: 'CONNECTION_CLOSED' }],
    ['write CONNECTION_DESTROYED db:5432', { code: 'CONNECTION_DESTROYED' }],
    ['Connection terminated', {}],
    ['Connection terminated unexpectedly', {}],
    ['Client was closed and is not queryable', {}],
    ['Client has encountered a connection error and is not queryable', {}],
    ['Query read timeout', {}],
  ])('%s: it may have been done', (message, facts) => {
    expect(readRefusal(wrapped(failure(message, facts)), none)).toEqual({ kind: 'lost' })
  })

  it('several at once (both addresses of a host refused)', () => {
    const error = Object.assign(new AggregateError([failure('a'), failure('b')]), { code: 'ECONNREFUSED' })
    expect(readRefusal(wrapped(error), none)).toEqual({ kind: 'unavailable' })
  })

  it('what is no error, or goes in circles, is left alone', () => {
    const circle = failure('x')
    circle.cause = circle
    for (const error of [undefined, null, 'text', circle, failure('x', { code: 7 })])
      expect(readRefusal(error, none)).toBeUndefined()
  })
})
