import type { Pool } from 'pg'
import { type SqlConnection, type SqlDatabase, transactionOn } from '../../../src/entry/sql.ts'

const connectionOn = (on: Pick<Pool, 'query'>): SqlConnection => ({
  handle: on,
  run: async (text, values) => {
    const { rows } = await on.query({ text, values: [...values], rowMode: 'array' })
    return rows
  },
})

/** PostgreSQL through a pool of node-postgres. */
export const overPg = (pool: Pool): SqlDatabase => {
  // Without a listener, a connection that breaks ends the process. The next statement gets another one.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return {
    ...connectionOn(pool),
    dialect: 'pg',
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
  }
}
