import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { prismaModels } from '../../../src/entry/prisma.ts'
import { createPg } from '../../contract/library.ts'
import { createDatabase, onPostgres } from '../../servers/test-database.ts'
import { prismaContract } from './contract.ts'
import { generate } from './generated.ts'

onPostgres('the contract of a source of Prisma on PostgreSQL', () =>
  prismaContract('Prisma on adapter-pg', async () => {
    const { connect, metadata } = await generate('postgresql')
    const database = await createDatabase('prisma')
    const pool = new pg.Pool({ connectionString: database.url, max: 4 })
    for (const statement of createPg) await pool.query(statement)
    const client = connect(new PrismaPg(pool))
    return {
      client,
      server: 'pg',
      source: prismaModels(client, metadata),
      execute: (statements) => pool.query(statements),
      spoil: { statement: `update books set sold_at = 'infinity'`, field: 'soldAt' },
      kill: () => pool.end(),
      close: async () => {
        await client.$disconnect()
        if (!pool.ended) await pool.end()
        await database.drop()
      },
    }
  }),
)
