import { PrismaLibSql } from '@prisma/adapter-libsql'
import { sqliteContract } from './sqlite-contract.ts'

sqliteContract('Prisma on adapter-libsql', (url) => new PrismaLibSql({ url, intMode: 'bigint' }))
