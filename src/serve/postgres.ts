import { StartError } from '../error/errors.ts'
import type { SqlConnection } from '../source/sql/port.ts'
import { transactionOn } from '../source/sql/transaction-on.ts'
import { CONNECTING, driverIn, type OpenDatabase } from './opened.ts'

/** The members of `pg` that the service uses. */
interface PgClient {
  query(query: string | object): Promise<{ readonly rows: readonly unknown[] }>
  on(event: 'error', listener: () => void): unknown
}

interface PgPool extends PgClient {
  on(event: 'error' | 'connect', listener: (client: PgClient) => void): unknown
  connect(): Promise<PgClient & { release(isBroken: boolean): void }>
  end(): Promise<void>
}

interface Pg {
  readonly Pool: new (options: object) => PgPool
}

const connectionOn = (on: Pick<PgClient, 'query'>): SqlConnection => ({
  handle: on,
  run: async (text, values) => (await on.query({ text, values: [...values], rowMode: 'array' })).rows,
})

/** PostgreSQL through the `pg` of the project. */
export const openPostgres: OpenDatabase = async (place, { writes, timeout, load }) => {
  const { Pool } = driverIn<Pg>(await load('pg'), 'Pool')
  const url = new URL(place)
  const given = url.searchParams.get('options') ?? ''
  const own = [`-c statement_timeout=${timeout}`, ...(writes ? [] : ['-c default_transaction_read_only=on'])]
  // The last of several settings counts.
  url.searchParams.set('options', [given, ...own].join(' ').trim())
  const pool = new Pool({
    ...{ connectionString: url.href, max: 4, connectionTimeoutMillis: CONNECTING },
    application_name: 'modelrest serve',
  })
  // Without a listener, a connection that breaks ends the process. The next statement gets another one.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const close = async (): Promise<void> => pool.end()
  try {
    const { rows } = await pool.query({ text: 'show default_transaction_read_only', rowMode: 'array' })
    if (!writes && String(rows[0]) !== 'on')
      throw new StartError(
        'The server ignores default_transaction_read_only, as some connection poolers do. Use the address of the server itself, or a user who may only read.',
      )
  } catch (error) {
    await close()
    throw error
  }
  return {
    close,
    database: {
      ...{ ...connectionOn(pool), dialect: 'pg' },
      transaction: async (work) => {
        const client = await pool.connect()
        let isBroken = false
        const on = {
          dialect: 'pg',
          execute: (text: string) => client.query(text),
          discard: () => {
            isBroken = true
          },
        } as const
        try {
          return await transactionOn(on, () => work(connectionOn(client)))
        } finally {
          client.release(isBroken)
        }
      },
    },
  }
}
