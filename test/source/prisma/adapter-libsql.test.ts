import { PrismaLibSql } from '@prisma/adapter-libsql'
import { sqliteContract } from './sqlite-contract.ts'

// The client of libSQL ends strings at a null character.
sqliteContract('Prisma on adapter-libsql', (url) => new PrismaLibSql({ url, intMode: 'bigint' }), {
  holds: (_field, value) => typeof value !== 'string' || !value.includes('\0'),
})
