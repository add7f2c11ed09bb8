import { PrismaMariaDb } from '@prisma/adapter-mariadb'
import mysql from 'mysql2/promise'
import { expect, it, onTestFinished } from 'vitest'
import { prismaModels } from '../../../src/entry/prisma.ts'
import type { Condition } from '../../../src/entry/source.ts'
import { createMysqlDatabase, nameOf, onEachMysql } from '../../servers/test-mysql.ts'
import { serveModels } from '../../stage/serve-models.ts'
import { generate } from './generated.ts'

const schema = `
model House {
  id    String @id @default(uuid()) @db.VarChar(36)
  rooms Room[]
}
model Room {
  houseId String   @db.VarChar(36)
  name    String   @db.VarChar(20)
  house   House    @relation(fields: [houseId], references: [id])
  lamps   Lamp[]
  @@id([houseId, name])
}
model Lamp {
  id      Int    @id @default(autoincrement())
  houseId String @db.VarChar(36)
  room    String @db.VarChar(20)
  of      Room   @relation(fields: [houseId, room], references: [houseId, name])
}
`

const tables = [
  'create table House (id varchar(36) primary key)',
  `create table Room (houseId varchar(36) not null, name varchar(20) not null, primary key (houseId, name),
    foreign key (houseId) references House (id))`,
  `create table Lamp (id int primary key auto_increment, houseId varchar(36) not null, room varchar(20) not null,
    foreign key (houseId, room) references Room (houseId, name))`,
]

onEachMysql('keys of several fields with text, through Prisma', (kind) => {
  it(`name records, but a part cannot be compared, ${nameOf(kind)}`, async () => {
    const { connect, metadata } = await generate('mysql', schema)
    const database = await createMysqlDatabase('text_keys', { kind })
    const plain = await mysql.createConnection(database.url)
    onTestFinished(() => plain.end())
    for (const statement of tables) await plain.query(statement)
    const { hostname, port, username, password, pathname } = new URL(database.url)
    const client = connect(
      new PrismaMariaDb({
        ...{ host: hostname, port: Number(port), user: username, password, database: pathname.slice(1) },
      }),
    )
    const close = async (): Promise<void> => {
      await client.$disconnect()
      await database.drop()
    }
    const models = prismaModels(client, metadata)
    const { send } = await serveModels({ models, close } as never)

    const [, house] = await send('POST', '/houses/', {})
    const { id: houseId } = Object(house)
    for (const name of ['Hall', 'Attic'])
      expect(await send('POST', '/rooms/', { houseId, name })).toMatchObject([201, { name }])
    for (const room of ['Hall', 'Hall'])
      expect(await send('POST', '/lamps/', { houseId, room })).toMatchObject([201, { houseId }])

    expect(await send('GET', `/rooms/${houseId},Hall`)).toMatchObject([200, { name: 'Hall' }])
    for (const method of ['GET', 'DELETE'] as const)
      expect(await send(method, `/rooms/${houseId},HALL`)).toMatchObject([404, { code: 'not_found' }])
    expect(await send('GET', '/rooms/?q=name==Hall')).toMatchObject([400, { code: 'invalid_operator' }])
    expect(await send('GET', `/rooms/?q=houseId==${houseId}`)).toMatchObject([200, { count: 2 }])

    const [, listed] = await send('GET', '/rooms/?include=lamps(count=exact)&sort=name')
    expect(Object(listed).items).toMatchObject([
      { name: 'Attic', lamps: [], _related: { lamps: { count: 0 } } },
      { name: 'Hall', lamps: [{ id: 1 }, { id: 2 }], _related: { lamps: { count: 2 } } },
    ])
    expect(await send('GET', '/lamps/1?include=of.house')).toMatchObject([
      200,
      { of: { name: 'Hall', house: { id: houseId } } },
    ])

    // MariaDB does not delete from a table that the condition reads too.
    const lamps = models.store(models.models.find(({ name }) => name === 'Lamp') as never)
    const among = (id: number): Condition => ({
      ...{ op: 'related', relation: 'of' },
      condition: { op: 'related', relation: 'lamps', condition: { op: 'eq', field: 'id', value: id } },
    })
    expect(await lamps.remove([1], among(9))).toBe(false)
    expect(await lamps.remove([1], among(2))).toBe(true)
    expect(await lamps.update([2], { room: 'Attic' }, among(9))).toBeUndefined()
    expect(await lamps.update([2], { room: 'Attic' }, among(2))).toMatchObject({ room: 'Attic' })
  })
})
