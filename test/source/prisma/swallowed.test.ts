import { PrismaMariaDb } from '@prisma/adapter-mariadb'
import mysql from 'mysql2/promise'
import { expect, it } from 'vitest'
import { prismaModels } from '../../../src/entry/prisma.ts'
import { naming } from '../../naming.ts'
import { createMysqlDatabase, nameOf, onEachMysql } from '../../servers/test-mysql.ts'
import { type AnyClient, generate } from './generated.ts'

const schema = `
model Thing {
  id   Int @id
  size Int
}
`

onEachMysql('a transaction that the server has rolled back because of a deadlock', (kind) => {
  it(`is not reported as saved if a hook ignores the error, ${nameOf(kind)}`, async () => {
    const { connect, metadata } = await generate('mysql', schema)
    const database = await createMysqlDatabase('swallowed', { kind })
    const other = await mysql.createConnection(database.url)
    const { hostname, port, username, password, pathname } = new URL(database.url)
    const client = connect(
      new PrismaMariaDb({
        ...{ host: hostname, port: Number(port), user: username, password, database: pathname.slice(1) },
      }),
    )
    try {
      await other.query('create table Thing (id int primary key, size int not null)')
      await other.query('insert into Thing values (1, 0), (2, 0), (3, 0), (4, 0), (5, 0)')
      const saving = prismaModels(client, metadata).transaction(async ({ db }) => {
        const set = async (id: number) =>
          (db as AnyClient)['thing']?.['updateMany']?.({ where: { id }, data: { size: 1 } })
        await set(1)
        // The server gives up the transaction that has changed fewer records.
        await other.query('begin')
        await other.query('update Thing set size = 9 where id > 1')
        const waiting = other.query('update Thing set size = 9 where id = 1')
        await set(2).catch(() => undefined)
        await waiting
        await other.query('commit')
      })
      await expect(saving).rejects.toThrow(naming('hook', 'transaction'))
      const [rows] = await other.query('select size from Thing where id = 1')
      expect(rows).toEqual([{ size: 9 }])
    } finally {
      await client.$disconnect()
      await other.end()
      await database.drop()
    }
  })
})
