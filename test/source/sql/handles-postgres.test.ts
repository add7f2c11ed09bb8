import pg from 'pg'
import { createPg } from '../../contract/library.ts'
import { createDatabase, onPostgres } from '../../servers/test-database.ts'
import { handleContract, sourceOver } from './handle-contract.ts'
import { overPg } from './over-pg.ts'

onPostgres('the contract of a source over node-postgres', () =>
  handleContract('pg', async () => {
    const { url, drop } = await createDatabase('library')
    const newPool = () => new pg.Pool({ connectionString: url, max: 4 })
    let pool = newPool()
    for (const statement of createPg) await pool.query(statement)
    const end = async () => {
      if (!pool.ended) await pool.end()
    }
    return {
      ...{ database: overPg(pool), server: 'pg', kill: end },
      execute: (db, statement) => (db as pg.Pool).query(statement),
      useHandle: (db) => (db as pg.Pool).query('select 1'),
      spoil: { statement: `update books set sold_at = 'infinity'`, field: 'soldAt' },
      reopen: async () => {
        await end()
        pool = newPool()
        return sourceOver(overPg(pool))
      },
      close: async () => {
        await end()
        await drop()
      },
    }
  }),
)
