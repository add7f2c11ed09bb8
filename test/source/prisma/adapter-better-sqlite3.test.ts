import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import { sqliteContract } from './sqlite-contract.ts'

sqliteContract('Prisma on adapter-better-sqlite3', (url) => new PrismaBetterSqlite3({ url }), {
  extent: 'complete',
})
