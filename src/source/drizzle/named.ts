import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { causesOf } from '../../observe/log.ts'
import { type Awaitable, SourceError } from '../source.ts'
import { codeOf, withoutValues } from '../sql/errors.ts'
import { type DrizzleSession, knownOf, sessionOver } from './internals.ts'

/** The names of a database's statements. A server keeps the plan of a named statement, separately for each connection. */
export interface StatementNames {
  /** `undefined`: the statement must not have a name. */
  nameOf(text: string, values: readonly unknown[]): string | undefined
  /** The server refused a statement because of its name, with this SQLSTATE. */
  refused(text: string, code: string): void
  /** The session for named statements. */
  sessionOf(session: DrizzleSession): DrizzleSession
}

/** A server keeps up to about 60 kB for each on each connection. Clients choose the columns of updates, and limits. */
const MOST_NAMES = 200

/** Executions before a statement gets a name, so that rare statements do not use the names up. */
const USES_BEFORE = 5

/** Total length of the statements whose executions are counted. */
const COUNTED_CHARACTERS = 500_000

/** The server does not know the statement, or already knows one with this name: connections are not what they seem. */
const connectionChanged = /^(26000|42P05)$/

/**
 * Also a schema that has changed since the statement was prepared: its result, or the types of its values, which may be gone
 * (XX000). Privileges (42501) do not depend on the name.
 */
const aboutName = /^(26000|42(?!501)|0A000|XX000)/

const STOPPED =
  'PostgreSQL lost a prepared statement, so modelrest continues without prepared statements. A connection pooler in transaction mode, such as PgBouncer before 1.21 or without max_prepared_statements, or DISCARD ALL causes this. Pass { prepare: false } to drizzleModels.'

/** `undefined`: drizzle does not pass names to the driver of this session. */
export const namesOfStatements = (session: DrizzleSession): StatementNames | undefined => {
  const naming = knownOf(session, namings)
  return naming && namesBy(naming)
}

const namesBy = ({ typesOf, sessionOf }: NamedSessions): StatementNames => {
  const names = new Map<string, string>()
  const refusedTexts = new Set<string>()
  const uses = new LRUCache<string, number>({ maxSize: COUNTED_CHARACTERS })
  let isStopped = false
  const refused = (text: string, code: string): void => {
    if (!connectionChanged.test(code)) refusedTexts.add(text)
    else if (!isStopped) {
      isStopped = true
      process.emitWarning(STOPPED, { type: 'ModelrestWarning' })
    }
  }
  return {
    refused,
    sessionOf: (session) => sessionOf(session, refused),
    nameOf: (text, values) => {
      if (isStopped || refusedTexts.has(text)) return undefined
      const key = typesOf(values) + text
      if (names.has(key) || names.size >= MOST_NAMES) return names.get(key)
      const used = uses.get(key) ?? 0
      if (used < USES_BEFORE) {
        uses.set(key, used + 1, { size: key.length })
        return undefined
      }
      const name = `modelrest_${createHash('sha256').update(key).digest('hex').slice(0, 32)}`
      names.set(key, name)
      return name
    },
  }
}

interface NamedSessions {
  /** The types of values that belong to a statement of the driver. */
  readonly typesOf: (values: readonly unknown[]) => string
  readonly sessionOf: (session: DrizzleSession, refused: StatementNames['refused']) => DrizzleSession
}

interface PostgresJs {
  unsafe(text: string, ...about: readonly unknown[]): { values(): PromiseLike<unknown> }
}

const namings: ReadonlyMap<string, NamedSessions> = new Map<string, NamedSessions>([
  ['NodePgSession', { typesOf: () => '', sessionOf: (session) => session }],
  [
    'PostgresJsSession',
    {
      // It prepares a statement for each combination of these types, and names it itself.
      typesOf: (values) => values.map(typeLetter).join(''),
      // It repeats a statement that the server has lost, by a new name: without an end, that would fill the server's memory.
      sessionOf: (session, refused) => {
        const client = session.client as PostgresJs
        const unsafe = (text: string, ...about: readonly unknown[]): object => {
          const query = client.unsafe(text, ...about)
          const values = async (): Promise<unknown> => {
            try {
              return await query.values()
            } finally {
              const error: unknown = Reflect.get(query, 'retried')
              if (error !== undefined) refused(text, codeOf(Object(error)))
            }
          }
          return { values }
        }
        return sessionOver(session, { unsafe })
      },
    },
  ],
])

const typeLetter = (value: unknown): string => {
  if (typeof value === 'boolean') return 'b'
  if (typeof value === 'bigint') return 'i'
  if (value instanceof Date) return 'd'
  return value instanceof Uint8Array ? 'y' : '-'
}

type Run<T> = (values: readonly unknown[]) => Awaitable<T>

/**
 * A statement that runs by its name once it is in regular use. If the server refuses it because of the name, it runs again
 * without one. In a transaction, which such an error ends, the whole transaction has to.
 */
export const namedStatement = <T>(
  names: StatementNames,
  text: string,
  plain: Run<T>,
  prepare: (name: string) => Run<T>,
  inTransaction: boolean,
): Run<T> => {
  let named: Run<T> | undefined
  const again = async (error: unknown, values: readonly unknown[]): Promise<T> => {
    const code = [...causesOf(error)].map(codeOf).find((found) => found !== '') ?? ''
    if (!aboutName.test(code)) throw error
    if (inTransaction) {
      names.refused(text, code)
      throw new SourceError('contended', { cause: withoutValues(error) })
    }
    const result = await plain(values)
    // Refused without a name too, the statement itself is wrong.
    names.refused(text, code)
    return result
  }
  return (values) => {
    const name = names.nameOf(text, values)
    if (name === undefined) return plain(values)
    named ??= prepare(name)
    return Promise.resolve(named(values)).then(undefined, (error: unknown) => again(error, values))
  }
}
