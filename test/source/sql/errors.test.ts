import { inspect } from 'node:util'
import { DrizzleQueryError } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { stderrLog } from '../../../src/observe/log.ts'
import { readRefusal, refusalOfHook } from '../../../src/source/sql/errors.ts'
import { loggable } from '../../../src/source/sql/loggable.ts'
import { readMysqlError } from '../../../src/source/sql/mysql-errors.ts'
import { readPgError } from '../../../src/source/sql/pg-errors.ts'
import { readSqliteError } from '../../../src/source/sql/sqlite-errors.ts'

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
    const tooLarge = new RangeError(
      'Received integer which cannot be safely represented as a JavaScript number',
    )
    expect(read(wrapped(tooLarge))).toEqual({ kind: 'unrepresentable' })
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

describe('errors of MySQL drivers', () => {
  const read = (error: unknown) => readRefusal(error, readMysqlError)

  it.each([
    // MySQL, with and without the table; MariaDB; values that look like the rest of the text.
    [
      1062,
      `Duplicate entry 'x' for key 'books.books_isbn_unique'`,
      { kind: 'unique', index: 'books_isbn_unique' },
    ],
    [
      1062,
      `Duplicate entry '1-O'Brien' for key 'a'' for key 'PRIMARY'`,
      { kind: 'unique', index: 'PRIMARY' },
    ],
    [1062, `Дублирующаяся запись 'x' по ключу 'isbn'`, { kind: 'unique', index: 'isbn' }],
    [1451, 'Cannot delete or update a parent row', { kind: 'foreign-key' }],
    [1452, 'Cannot add or update a child row', { kind: 'foreign-key' }],
    [1216, 'Cannot add or update a child row', { kind: 'foreign-key' }],
    [1048, `Column 'title' cannot be null`, { kind: 'not-null', columns: ['title'] }],
    [1364, `Field 'title' doesn't have a default value`, { kind: 'not-null', columns: ['title'] }],
    [3819, `Check constraint 'reviews_stars' is violated.`, { kind: 'check', check: 'reviews_stars' }],
    [
      4025,
      'CONSTRAINT `reviews_stars` failed for `library`.`reviews`',
      { kind: 'check', check: 'reviews_stars' },
    ],
    [1644, 'what a trigger said', { kind: 'check' }],
    [1369, 'CHECK OPTION failed', { kind: 'check' }],
    [1264, `Out of range value for column 'price' at row 1`, { kind: 'value', columns: ['price'] }],
    [1406, `Data too long for column 'title' at row 1`, { kind: 'value', columns: ['title'] }],
    [
      1366,
      "Incorrect string value: '\\xF0 for column 'x' at row 1' for column `shop`.`books`.`title` at row 1",
      { kind: 'value', columns: ['title'] },
    ],
    [1292, `Truncated incorrect DOUBLE value: 'x'`, { kind: 'value' }],
    [1153, `Got a packet bigger than 'max_allowed_packet' bytes`, { kind: 'value' }],
    [1213, 'Deadlock found when trying to get lock', { kind: 'contended' }],
    [1020, 'Record has changed since last read', { kind: 'contended' }],
    [3101, 'Plugin instructed the server to rollback', { kind: 'contended' }],
    [9007, 'Write conflict', { kind: 'contended' }],
    [1205, 'Lock wait timeout exceeded', { kind: 'unavailable' }],
    [1040, 'Too many connections', { kind: 'unavailable' }],
    [1203, 'User has more than max_user_connections', { kind: 'unavailable' }],
    [1047, 'WSREP has not yet prepared node for application use', { kind: 'unavailable' }],
    [1114, 'The table is full', { kind: 'unavailable' }],
    [1290, 'The server is running with the --read-only option', { kind: 'unavailable' }],
    [1317, 'Query execution was interrupted', { kind: 'unavailable' }],
    [1969, 'Query execution was interrupted (max_statement_time exceeded)', { kind: 'unavailable' }],
    [3024, 'maximum statement execution time exceeded', { kind: 'unavailable' }],
    [1053, 'Server shutdown in progress', { kind: 'lost' }],
    [1927, 'Connection was killed', { kind: 'lost' }],
    [4031, 'The client was disconnected by the server because of inactivity', { kind: 'lost' }],
  ])('%s: %s', (errno, message, expected) => {
    expect(read(wrapped(failure(message, { errno })))).toEqual(expected)
    expect(read(wrapped(failure('x', { errno, sqlMessage: message })))).toEqual(expected)
    expect(
      read(failure(`target: shop.-.primary: ${message} (errno ${errno}) (sqlstate 23000)`)),
    ).toMatchObject({
      kind: expected.kind,
    })
  })

  it.each([
    ['Pool is closed.', {}, 'unavailable'],
    ['Queue limit reached.', {}, 'unavailable'],
    ['No connections available.', {}, 'unavailable'],
    ['connect ECONNREFUSED 127.0.0.1:3306', { code: 'ECONNREFUSED', errno: -111 }, 'unavailable'],
    ['connect ETIMEDOUT', { code: 'ETIMEDOUT' }, 'unavailable'],
    ['read ECONNRESET', { code: 'ECONNRESET', errno: -104 }, 'lost'],
    ['Connection lost: The server closed the connection.', { code: 'PROTOCOL_CONNECTION_LOST' }, 'lost'],
    ["Can't add new command when connection is in closed state", {}, 'lost'],
  ])('%s', (message, facts, kind) => {
    expect(read(wrapped(failure(message, facts)))).toEqual({ kind })
  })

  it.each([1045, 1054, 1064, 1142, 1146])('leaves %s alone', (errno) => {
    expect(read(wrapped(failure('x', { errno })))).toBeUndefined()
  })
})

describe('lost connections', () => {
  const none = () => undefined

  it.each([
    ['connect ECONNREFUSED 127.0.0.1:5432', { code: 'ECONNREFUSED' }],
    ['connect EHOSTUNREACH 10.0.0.1:5432', { code: 'EHOSTUNREACH', syscall: 'connect' }],
    ['connect ENETUNREACH 10.0.0.1:5432', { code: 'ENETUNREACH', syscall: 'connect' }],
    ['connect ETIMEDOUT 10.0.0.1:5432', { code: 'ETIMEDOUT', syscall: 'connect' }],
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
    ['read ECONNRESET', { code: 'ECONNRESET', syscall: 'read' }],
    ['read ETIMEDOUT', { code: 'ETIMEDOUT', syscall: 'read' }],
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
    const late = failure('connect ETIMEDOUT 10.0.0.1:5432', { code: 'ETIMEDOUT', syscall: 'connect' })
    const all = Object.assign(new AggregateError([late, late]), { code: 'ETIMEDOUT' })
    expect(readRefusal(wrapped(all), none)).toEqual({ kind: 'unavailable' })
  })

  it('what is no error, or goes in circles, is left alone', () => {
    const circle = failure('x')
    circle.cause = circle
    for (const error of [undefined, null, 'text', circle, failure('x', { code: 7 })])
      expect(readRefusal(error, none)).toBeUndefined()
  })
})

describe('errors that a hook threw', () => {
  it.each([
    ['a deadlock of PostgreSQL', { code: '40P01', severity: 'ERROR' }, readPgError, 'contended'],
    [
      'one of MySQL',
      { code: 'ER_LOCK_DEADLOCK', errno: 1213, sqlState: '40001' },
      readMysqlError,
      'contended',
    ],
    ['a lock of SQLite', { code: 'SQLITE_BUSY' }, readSqliteError, 'contended'],
    ['a connection of mysql2', { code: 'PROTOCOL_CONNECTION_LOST' }, readMysqlError, 'lost'],
    ['one of postgres.js', { code: 'CONNECTION_CLOSED' }, readPgError, 'lost'],
    ['a code of something else', { code: '40001' }, readPgError, undefined],
    ['a number of something else', { errno: 1213 }, readMysqlError, undefined],
    ['a socket', { code: 'ECONNRESET', errno: -104 }, readMysqlError, undefined],
  ] as const)('%s, as it is and as a cause', (_what, facts, read, kind) => {
    const thrown = failure('x', facts)
    expect(refusalOfHook(thrown, read)?.kind).toBe(kind)
    expect(refusalOfHook(new Error('y', { cause: thrown }), read)?.kind).toBe(kind)
  })

  it('what came through drizzle is read whatever its code', () => {
    const thrown = new Error('y', { cause: wrapped(failure('x', { code: 'ECONNRESET' })) })
    expect(refusalOfHook(thrown, readPgError)?.kind).toBe('lost')
  })
})

describe('what a log gets', () => {
  const mysql = (message: string, sqlState: string, errno: number) =>
    failure(message, { errno, sqlState, sqlMessage: message, sql: `insert into x values ('secret')` })

  const circular = (error: Error): Error => Object.assign(error, { cause: error })

  const localised = [
    ['22P02', 'ungültige Eingabesyntax für Typ integer: »%s«'],
    ['22003', 'Wert »%s« ist außerhalb des gültigen Bereichs für Typ integer'],
    ['22003', 'el valor «%s» está fuera de rango para el tipo integer'],
    ['22P02', 'syntaxe en entrée invalide pour le type integer : « %s »'],
    ['22003', '値"%s"は型integerの範囲外です'],
    ['22P05', '编码"UTF8"的字符0x%s在编码"LATIN1"没有相对应值'],
    ['22021', '无效的 "UTF8" 编码字节顺序: %s'],
    ['22P05', 'character with byte sequence %s in encoding "UTF8" has no equivalent in encoding "LATIN1"'],
    ['22021', 'invalid byte sequence for encoding "UTF8": %s'],
    ['23514', 'новая строка нарушает ограничение: %s'],
  ] as const

  it.each([
    ['drizzle, of any driver', wrapped(failure('no', { detail: 'Key (email)=(secret)' }))],
    [
      'PostgreSQL',
      failure('no', { code: '23505', severity: 'ERROR', detail: 'Key (email)=(secret)', where: 'secret' }),
    ],
    ['a value', failure('for integer: "a "secret""', { code: '22P02', severity: 'ERROR' })],
    ['MySQL', mysql(`Duplicate entry 'O'secret' for key 'email'`, '23000', 1062)],
    ['MySQL, a value', mysql(`Incorrect integer value: 'secret' for column 'x' at row 1`, 'HY000', 1366)],
    ['HTTP', wrapped(failure(`Duplicate entry 'secret' for key 'x' (errno 1062) (sqlstate 23000)`))],
    ['HTTP, the statement', wrapped(failure(`Unknown column (sqlstate 42S22): Sql: "x", BindVars: secret`))],
    // As PostgreSQL speaks with the value at %s, in the languages that it has.
    ...localised.map(([code, message]): [string, Error] => [
      message,
      failure(message.replaceAll('%s', 'secret'), { code, severity: 'FEHLER' }),
    ]),
    [
      'HTTP, a value that looks like a state',
      wrapped(failure(`Duplicate entry 'secret (sqlstate 42S22)' for key 'x' (errno 1062) (sqlstate 23000)`)),
    ],
    [
      'a value that looks like a state',
      failure('Wert »secret (sqlstate 42S22)«', { code: '22P02', severity: 'E' }),
    ],
    ['MySQL in German', mysql(`Doppelter Eintrag 'secret' für Schlüssel 'email'`, '23000', 1062)],
    ['MySQL, a value in the statement', mysql(`syntax to use near 'wher x = 'secret''`, '42000', 1064)],
    ['a circle', circular(failure('secret', { code: '22P02', severity: 'ERROR' }))],
  ] satisfies [string, Error][])('has no values: %s', (_what, thrown) => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    for (const error of [thrown, new Error('outer', { cause: new Error('inner', { cause: thrown }) })]) {
      const told = loggable(error)
      stderrLog.error('failed', told)
      expect(inspect(told, { depth: 9, showHidden: true })).not.toContain('secret')
    }
    const written = write.mock.calls.join()
    write.mockRestore()
    expect(written).not.toContain('secret')
    expect(written).toMatch(/errors\.test/)
  })

  it.each([
    [
      failure('für »secret«', { code: '22P02', severity: 'FEHLER', table: 'books', column: 'isbn' }),
      'invalid_text_representation (SQLSTATE 22P02): table books, column isbn',
    ],
    [
      failure('x', { code: '23505', severity: 'ERROR', table_name: 'books', constraint_name: 'books_key' }),
      'unique_violation (SQLSTATE 23505): table books, constraint books_key',
    ],
    [failure('x', { code: '22030', severity: 'ERROR' }), 'data_exception (SQLSTATE 22030)'],
    [
      Object.assign(mysql('secret', '23000', 1062), { code: 'ER_DUP_ENTRY' }),
      'integrity_constraint_violation (SQLSTATE 23000, 1062 ER_DUP_ENTRY)',
    ],
    [mysql('near secret', '42000', 1064), 'syntax_error (SQLSTATE 42000, 1064)'],
    [
      failure('target: shop: secret (errno 1062) (sqlstate 23000) (CallerID: x): Sql: secret'),
      'integrity_constraint_violation (SQLSTATE 23000, 1062)',
    ],
    // Those have names of things alone.
    [
      failure('relation "x" does not exist', { code: '42P01', severity: 'ERROR' }),
      'relation "x" does not exist',
    ],
    [mysql(`Table 'shop.x' doesn't exist`, '42S02', 1146), `Table 'shop.x' doesn't exist`],
    [
      failure('UNIQUE constraint failed: books.isbn', { code: 'SQLITE_CONSTRAINT_UNIQUE' }),
      'UNIQUE constraint failed: books.isbn',
    ],
  ])('says what was wrong: %s', (error, expected) => {
    expect(loggable(wrapped(error))).toMatchObject({ cause: { message: expected } })
  })

  it('is the error itself where a hook made it', () => {
    const own = new Error('own', { cause: wrapped(failure('x')) })
    expect(loggable(own)).toBe(own)
    expect(loggable('text')).toBe('text')
  })
})
