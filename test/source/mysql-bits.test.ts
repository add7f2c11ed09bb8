import { EntitySchema as MikroSchema } from '@mikro-orm/core'
import { customType, int, mysqlTable } from 'drizzle-orm/mysql-core'
import { EntitySchema } from 'typeorm'
import { describe, expect, it } from 'vitest'
import type { ModelSource } from '../../src/entry/source.ts'
import type { Place } from '../http/orm-places.ts'
import { onEachMysql } from '../servers/test-mysql.ts'
import { requestsTo } from './facts.ts'
import { expectKept } from './kept.ts'
import { placeOf, withDrizzle, withMikroOrm, withPrisma, withSequelize, withTypeorm } from './open-orms.ts'

type Open = (place: Place) => Promise<{ readonly source: ModelSource }>

const id = { type: 'int', primary: true, generated: 'increment' } as const

const sources: Readonly<Record<string, Open>> = {
  Drizzle: async (place) => {
    const bit = (length?: number) =>
      customType<{ data: unknown }>({ dataType: () => (length === undefined ? 'bit' : `bit(${length})`) })()
    const bits = { open: bit(1), shut: bit(), few: bit(5), many: bit(64) }
    return withDrizzle(place, {
      things: mysqlTable('thing', { id: int().autoincrement().primaryKey(), ...bits }),
    })
  },
  Prisma: (place) =>
    withPrisma(
      place,
      `model Thing {
      id   Int      @id @default(autoincrement())
      open Boolean? @db.Bit(1)
      shut Boolean? @db.Bit(1)
      few  Bytes?   @db.Bit(5)
      many Bytes?   @db.Bit(64)
      @@map("thing")
    }`,
    ),
  TypeORM: (place) => {
    // TypeORM has no length for it.
    const bit = { type: 'bit', nullable: true } as const
    const columns = { id, open: bit, shut: bit }
    return withTypeorm(place, new EntitySchema({ name: 'Thing', tableName: 'thing', columns }))
  },
  MikroORM: (place) => {
    const bit = (type: string, length: number) => ({ type, columnType: `bit(${length})`, nullable: true })
    const bits = { open: bit('boolean', 1), shut: bit('any', 1), few: bit('Buffer', 5), many: bit('any', 64) }
    const properties = { id: { type: 'integer', primary: true }, ...bits }
    return withMikroOrm(place, [new MikroSchema({ name: 'Thing', tableName: 'thing', properties } as never)])
  },
  Sequelize: async (place) => {
    const bits = { open: 'BIT(1)', shut: 'BIT', few: 'BIT(5)', many: 'BIT(64)' }
    return withSequelize(place, (instance) => instance.define('Thing', bits, { tableName: 'thing' }))
  },
}

onEachMysql('bits', (kind) => {
  describe.each(Object.entries(sources))('through %s', (_name, open) => {
    it('are booleans and bytes, which can be sent back', async () => {
      const place = await placeOf(
        kind,
        'create table thing (id int primary key auto_increment, open bit(1), shut bit, few bit(5), many bit(64))',
        "insert into thing (open, shut, few, many) values (b'1', b'0', b'11111', 5)",
      )
      const { source } = await open(place)
      const send = await requestsTo(source)
      const isWhole = source.models[0]?.fields.some(({ name }) => name === 'few')
      const bytes = isWhole ? { few: 'Hw==', many: 'AAAAAAAAAAU=' } : {}
      const first = { id: 1, open: true, shut: false, ...bytes }
      expect((await send('GET', '/things/')).json).toMatchObject({ items: [first] })
      const second = { open: false, shut: true, ...(isWhole && { few: 'AQ==', many: '//////////8=' }) }
      expect(await send('POST', '/things/', second)).toMatchObject({ status: 201, json: second })
      expect((await send('GET', '/things/?open=true&sort=shut')).json).toMatchObject({ items: [first] })
      for (const wrong of [{ few: '/w==' }, { few: '5' }, { few: 'AAE=' }, { open: '1' }, { open: 5 }])
        expect((await send('POST', '/things/', wrong)).status, JSON.stringify(wrong)).toBe(422)
      await expectKept(source)
    })
  })
})
