import { PrismaMariaDb } from '@prisma/adapter-mariadb'
import { expect, it, onTestFinished } from 'vitest'
import { prismaModels } from '../../../src/entry/prisma.ts'
import { createMysqlDatabase, nameOf, onEachMysql } from '../../servers/test-mysql.ts'
import { requestsTo } from '../facts.ts'
import { expectKept } from '../kept.ts'
import { partsOf } from '../sequelize/shop.ts'
import { generate } from './generated.ts'

const schema = `
model Thing {
  id    Int       @id @default(autoincrement())
  at    DateTime? @db.DateTime(3)
  day   DateTime? @db.Date
  clock DateTime? @db.Time(3)
  price Decimal?  @db.Decimal(10, 2)
  large BigInt?
  size  Float?
  open  Boolean?
  data  Json?
  raw   Bytes?    @db.VarBinary(20)
  note  String?   @db.VarChar(40)
}`

onEachMysql('values through Prisma', (kind) => {
  it(`can be sent back as they are shown, or are refused, ${nameOf(kind)}`, async () => {
    const { connect, metadata } = await generate('mysql', schema)
    const { url, drop } = await createMysqlDatabase('values', { kind })
    onTestFinished(drop)
    const { username: user, password, ...place } = partsOf(url)
    const client = connect(new PrismaMariaDb({ ...place, user, password } as never))
    onTestFinished(() => client.$disconnect())
    await client.$executeRawUnsafe(`create table Thing (id int primary key auto_increment, at datetime(3), day date,
      clock time(3), price decimal(10, 2), large bigint, size double, open boolean, data json, raw varbinary(20), note varchar(40))`)
    const source = prismaModels(client, metadata)
    await expectKept(source, { runs: 30 })
    const send = await requestsTo(source)
    for (const year of ['0001', '0049', '0050', '0099']) {
      const day = { day: `${year}-02-03` }
      expect(await send('POST', '/things/', day)).toMatchObject({ status: 201, json: day })
      for (const [method, path] of [
        ['POST', '/things/'],
        ['PATCH', '/things/1'],
      ] as const)
        expect((await send(method, path, { at: `${year}-02-03T00:00:00Z` })).json).toMatchObject({
          ...{ status: 422, errors: [{ pointer: '/at' }] },
        })
    }
    const at = '0100-01-01T00:00:00.000Z'
    expect((await send('POST', '/things/', { at })).json).toMatchObject({ at })
  })
})
