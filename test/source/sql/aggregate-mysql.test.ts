import { drizzle } from 'drizzle-orm/mysql2'
import mysql from 'mysql2/promise'
import { it } from 'vitest'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { createMysqlDatabase, onEachMysql } from '../../servers/test-mysql.ts'
import { assertAggregates } from './aggregate-random.ts'
import { createMysql, mysqlSales } from './sales.ts'

/** A `timestamp` begins in 1970. */
const isHeld = (field: string, value: unknown): boolean => field !== 'soldAt' || String(value) > '1970'

onEachMysql('random aggregations', (kind) => {
  it.each(['by code point', 'as the server does'] as const)('texts compared %s', async (collation) => {
    const database = await createMysqlDatabase('sales', { kind, collation })
    const pool = mysql.createPool({ uri: database.url, connectionLimit: 2 })
    await pool.query(createMysql)
    const source = drizzleModels(drizzle(pool), { sales: mysqlSales })
    await assertAggregates(source, 200, { isSorted: collation === 'by code point', isHeld })
    await pool.end()
    await database.drop()
  })
})
