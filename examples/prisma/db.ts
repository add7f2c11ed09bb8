import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import { PrismaClient } from './generated/prisma/client.ts'

const adapter = new PrismaBetterSqlite3({ url: process.env['DATABASE_URL'] ?? 'file:./shop.db' })
export const prisma = new PrismaClient({ adapter })
