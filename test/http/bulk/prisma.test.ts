import { afterEach, describe, expect, test } from 'vitest'
import { type MysqlKind, onEachMysql } from '../../servers/test-mysql.ts'
import { starting } from '../together/stage.ts'
import { prismaShops } from './prisma-shop.ts'
import { listOf, numbered, ownStatements, refusalOf, type Shop, withBulk } from './stage.ts'

let shop: Shop | undefined
afterEach(async () => {
  await shop?.stop()
  shop = undefined
})

// Prisma does not return many new records there, nor their keys.
onEachMysql('many new records through Prisma', (kind: MysqlKind) => {
  describe(`an array of new records on ${kind}, through Prisma`, () => {
    const open = async (): Promise<Shop> => {
      shop = await withBulk(starting(prismaShops[kind]))()
      return shop
    }

    test.each([
      ['a key of text', '/labels/', (at: number) => ({ code: `c${(at * 7) % 1000}`, orderId: 1, text: 'x' })],
      ['a key of two fields', '/notes/', (at: number) => ({ orderId: 1, line: (at * 7) % 1000, text: 'x' })],
    ] as const)('with %s takes few statements, and keeps its order', async (_key, path, make) => {
      const { send, takeStatements } = await open()
      takeStatements()
      const sent = numbered(1000, make)
      const reply = await send('POST', path, { body: sent })
      expect(reply.status, reply.text.slice(0, 500)).toBe(201)
      expect(takeStatements().length).toBeLessThanOrEqual(15)
      expect(listOf(reply)).toEqual(sent)
      const again = await send('POST', path, { body: [{ ...make(1001), text: 'y' }, make(17)] })
      expect(refusalOf(again).slice(0, 2)).toEqual([409, 'unique_conflict'])
    })

    test('is stored one by one where the database counts its keys, all or none', async () => {
      const { send, rows, takeStatements } = await open()
      takeStatements()
      const items = numbered(5, (at) => ({ orderId: 1, sku: `s${5 - at}`, price: at }))
      const reply = await send('POST', '/items/', { body: items })
      expect(listOf(reply)).toMatchObject(items)
      expect(ownStatements(takeStatements()).length).toBeGreaterThanOrEqual(5)
      const refused = await send('POST', '/items/', { body: [{ orderId: 1, price: 1 }, items[3]] })
      expect(refusalOf(refused)).toEqual([409, 'unique_conflict', '/1/sku taken'])
      expect(await rows('select id from order_items')).toHaveLength(5)
    })
  })
})
