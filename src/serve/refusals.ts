import { StartError } from '../error/errors.ts'
import { causesOf, inOneLine } from '../observe/log.ts'
import type { DatabaseAddress } from './address.ts'

type Sentence = (address: DatabaseAddress) => string

const connecting: Sentence = ({ noun, shown }) =>
  `Cannot connect to ${noun} at ${shown}. Check the host and the port, and start the server.`

const login: Sentence = ({ noun, shown, user }) =>
  `${noun} at ${shown} refuses the user ${user || '(none)'}. Check the user name and the password of the URL.`

const unknownDatabase: Sentence = ({ noun, shown, name }) =>
  `${noun} at ${shown} does not have the database ${name}. Correct the name at the end of the URL.`

const rights: Sentence = ({ noun, name }) =>
  `${noun} does not let this user read the catalog of ${name}. Grant the user the right to use and read it, or choose another user.`

const busy: Sentence = ({ noun, name }) =>
  `${noun} did not respond in time while modelrest read the catalog of ${name}. Try again, or set a longer --timeout.`

/** By codes of the drivers, numbers of SQLite, and messages that have neither. The words of a driver are never shown. */
const sentences: readonly (readonly [RegExp, Sentence])[] = [
  [
    /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ECONNRESET|ENOENT|08001|08006)$/,
    connecting,
  ],
  [/^(Connection terminated|timeout expired|timeout exceeded|PROTOCOL_CONNECTION_LOST)/, connecting],
  [/^(28P01|28000|ER_ACCESS_DENIED_ERROR|ER_ACCESS_DENIED_NO_PASSWORD_ERROR)$/, login],
  [/^(SASL|client password must be)/, login],
  [/^(3D000|ER_BAD_DB_ERROR)$/, unknownDatabase],
  [/^(42501|ER_DBACCESS_DENIED_ERROR|ER_TABLEACCESS_DENIED_ERROR|ER_SPECIFIC_ACCESS_DENIED_ERROR)$/, rights],
  [/^(57014|ER_QUERY_TIMEOUT|ER_STATEMENT_TIMEOUT)$/, busy],
  [
    /^(unsupported file format)/,
    ({ shown }) =>
      `${shown} was written by a newer version of SQLite than this Node has. Run modelrest with a newer version of Node.`,
  ],
  [
    /^sqlite 26$/,
    ({ shown }) => `${shown} is not an SQLite database, or it is encrypted. Choose another file.`,
  ],
  [/^sqlite 11$/, ({ shown }) => `${shown} is damaged. Restore it, or check it with pragma integrity_check.`],
  [
    /^sqlite (14|23|8|10)$/,
    ({ shown }) => `SQLite cannot open ${shown}. Check the permissions of the file and of its folder.`,
  ],
  [
    /^sqlite [56]$/,
    ({ shown }) => `${shown} is locked by another program. Close that program, or try again later.`,
  ],
]

const marksOf = (error: unknown): readonly string[] =>
  [...causesOf(error)].flatMap((inner) => {
    const { code, errcode }: { code?: unknown; errcode?: unknown } = Object(inner)
    const tried = inner instanceof AggregateError ? inner.errors.flatMap(marksOf) : []
    const number = typeof errcode === 'number' ? [`sqlite ${errcode % 256}`] : []
    return [inner.message, ...(typeof code === 'string' ? [code] : []), ...number, ...tried]
  })

/** Why a database could not be opened or read at start, in a sentence that says what to do. */
export const startErrorOf = (error: unknown, address: DatabaseAddress): unknown => {
  // It may name tables, whose names may have characters that a terminal would obey.
  if (error instanceof StartError) return new StartError(inOneLine(error.message))
  const marks = marksOf(error)
  const found = sentences.find(([pattern]) => marks.some((mark) => pattern.test(mark)))
  if (found !== undefined) return new StartError(found[1](address))
  const code = marks.find((mark) => /^[A-Z0-9_]{4,40}$/.test(mark))
  const shown = code === undefined ? '' : ` (${code})`
  return new StartError(
    `${address.noun} refuses to show the catalog of ${address.name}${shown}. Check the URL, and the rights of the user.`,
  )
}

/** The codes of a table or column that is not there, by which a running service notices a migration. */
const missing = /^(42P01|42703|ER_NO_SUCH_TABLE|ER_BAD_FIELD_ERROR|no such (table|column)\b.*)/

export const isOfMigration = (error: unknown): boolean => marksOf(error).some((mark) => missing.test(mark))
