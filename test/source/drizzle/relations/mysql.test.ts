import { drizzle } from 'drizzle-orm/mysql2'
import mysql from 'mysql2/promise'
import { it } from 'vitest'
import { drizzleModels } from '../../../../src/entry/drizzle.ts'
import { createMysqlDatabase, onEachMysql } from '../../../servers/test-mysql.ts'
import { createCompany, fillCompany } from './company.ts'
import { assertRelations } from './random.ts'
import { mysqlCompany } from './tables.ts'

onEachMysql('random questions about related records', (kind) => {
  it.each(['by code point', 'as the server does'] as const)('texts compared %s', async (collation) => {
    const database = await createMysqlDatabase('company', { kind, collation })
    const pool = mysql.createPool({ uri: database.url, connectionLimit: 4 })
    for (const statement of createCompany({ text: 'text', key: 'varchar(20)' })) await pool.query(statement)
    const source = drizzleModels(drizzle(pool), mysqlCompany)
    await fillCompany(source, collation === 'as the server does')
    await assertRelations(source, 200)
    await pool.end()
    await database.drop()
  })
})
