import { PrismaMariaDb } from '@prisma/adapter-mariadb'
import mysql from 'mysql2/promise'
import { prismaModels } from '../../../src/entry/prisma.ts'
import { createMysql } from '../../contract/library.ts'
import { createMysqlDatabase, nameOf, onEachMysql } from '../../servers/test-mysql.ts'
import { prismaContract } from './contract.ts'
import { generate } from './generated.ts'

/** What a `timestamp` holds, and a number that the client does not round. */
const isHeld = (field: string, value: unknown): boolean =>
  value instanceof Date
    ? value.getUTCFullYear() >= 1970 && value.getUTCFullYear() <= 2038
    : field !== 'weight' || Math.abs(Number(value)) < 1e18

onEachMysql('the contract of a source of Prisma', (kind) => {
  prismaContract(`Prisma on adapter-mariadb, ${nameOf(kind)}`, async () => {
    const { connect, metadata } = await generate('mysql')
    const database = await createMysqlDatabase('prisma', { kind, collation: 'as the server does' })
    const pool = mysql.createPool({ uri: database.url, connectionLimit: 2, multipleStatements: true })
    for (const statement of createMysql) await pool.query(statement)
    const { hostname, port, username, password, pathname } = new URL(database.url)
    const client = connect(
      new PrismaMariaDb({
        ...{ host: hostname, port: Number(port), user: username, password, database: pathname.slice(1) },
        connectionLimit: 4,
      }),
    )
    return {
      client,
      server: kind,
      source: prismaModels(client, metadata),
      execute: (statement) =>
        pool.query(`set foreign_key_checks = 0; ${statement}; set foreign_key_checks = 1`),
      holds: isHeld,
      spoil: { statement: `update books set opens_at = '25:00:00'`, field: 'opensAt' },
      close: async () => {
        await client.$disconnect()
        await pool.end()
        await database.drop()
      },
    }
  })
})
