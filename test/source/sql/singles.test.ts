import { defineEntity, p, Type } from '@mikro-orm/core'
import { DataTypes } from 'sequelize'
import { EntitySchema } from 'typeorm'
import { expect, it } from 'vitest'
import type { ModelSource } from '../../../src/entry/source.ts'
import type { Place } from '../../http/orm-places.ts'
import { onEachMysql } from '../../servers/test-mysql.ts'
import { serveModels } from '../../stage/serve-models.ts'
import { placeOf, withMikroOrm, withSequelize, withTypeorm } from '../open-orms.ts'

class Same extends Type<number, number> {
  override convertToJSValue(value: number): number {
    return value
  }

  override getColumnType(): string {
    return 'float'
  }
}

type Open = (place: Place) => Promise<{ readonly source: ModelSource }>

const sources: Readonly<Record<string, Open>> = {
  typeorm: (place) => {
    const number = { type: 'float' } as const
    const own = { ...number, transformer: { to: (value: number) => value, from: (value: number) => value } }
    const columns = {
      ...{ id: { type: 'int', primary: true } as const, plain: number, own },
      ...{ shown: { ...number, precision: 7, scale: 4 }, wide: { ...number, precision: 53 } },
    }
    return withTypeorm(place, new EntitySchema({ name: 'Thing', tableName: 'thing', columns }))
  },
  'mikro-orm': (place) => {
    const number = (type: string) => p.float().columnType(type)
    const properties = {
      ...{ id: p.integer().primary(), plain: p.float(), own: p.type(Same) },
      ...{ shown: number('float(7, 4)'), wide: number('float(53)') },
    }
    return withMikroOrm(place, [defineEntity({ name: 'Thing', tableName: 'thing', properties })])
  },
  sequelize: async (place) => {
    const get = function (this: { getDataValue(name: string): number }): number {
      return this.getDataValue('own')
    }
    const columns = {
      ...{ plain: DataTypes.FLOAT, own: { type: DataTypes.FLOAT, get } },
      ...{ shown: DataTypes.FLOAT(7, 4), wide: 'FLOAT(53)' },
    }
    return withSequelize(place, (instance) => instance.define('Thing', columns, { tableName: 'thing' }))
  },
}

const values = [0.1, 0.1, 0.1, 0.2, 0.2, 0.7, 0.7, 1, 123.456]

onEachMysql('numbers of single precision', (kind) => {
  for (const [orm, open] of Object.entries(sources))
    it(`are found, skipped and deleted by what a list shows, through ${orm}`, async () => {
      const place = await placeOf(
        kind,
        'create table thing (id int primary key auto_increment, plain float, own float, shown float(7, 4), wide float(53))',
        `insert into thing (plain, own, shown, wide) values ${values.map((one) => `(${Array(4).fill(one)})`)}`,
      )
      const { source: models } = await open(place)
      const { send } = await serveModels({ models, close: () => undefined } as never, {
        paginationType: 'cursor',
        modelConfig: { Thing: { bulk: true } },
        settings: { SECRET_KEY: 'x'.repeat(40) },
      })
      const list = async (query: string) => {
        const [status, body] = await send('GET', `/things/?${query}&count=exact`)
        expect([query, status, Object(body).detail]).toEqual([query, 200, undefined])
        return body as { items: Record<string, number>[]; count: number; next: string | null }
      }
      for (const field of ['plain', 'own', 'shown', 'wide']) {
        const { items } = await list(`sort=id&limit=20`)
        expect(items.map((item) => item[field])).toEqual(values)
        const count = async (filter: string) => (await list(filter)).count
        expect([await count(`${field}==0.1`), await count(`${field}!=0.1`)]).toEqual([3, 6])
        expect([await count(`${field}<=0.1`), await count(`${field}>0.1`)]).toEqual([3, 6])
        expect(await count(`${field}==0.1,0.7`)).toBe(5)
        for (const order of ['asc', 'desc']) {
          const seen: unknown[] = []
          for (let next: string | null = '', pages = 0; next !== null && pages < 9; pages += 1) {
            const page = await list(`sort=${field}&order=${order}&limit=2${next && `&cursor=${next}`}`)
            seen.push(...page.items.map((item) => item['id']))
            next = page.next
          }
          expect(seen.toSorted()).toEqual(values.map((_value, at) => at + 1))
        }
      }
      expect(await send('DELETE', '/things/?q=plain>0.7')).toMatchObject([200, { count: 2 }])
      expect((await list('sort=id&limit=20')).items.map(({ plain }) => plain)).toEqual(values.slice(0, 7))
    })
})
