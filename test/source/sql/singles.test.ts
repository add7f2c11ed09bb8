import { Type } from '@mikro-orm/core'
import { defineEntity, MikroORM as MikroMariaDb, p } from '@mikro-orm/mariadb'
import { MikroORM as MikroMysql } from '@mikro-orm/mysql'
import mariadb from 'mariadb'
import mysql from 'mysql2/promise'
import { DataTypes, Sequelize } from 'sequelize'
import { DataSource, EntitySchema } from 'typeorm'
import { expect, it, onTestFinished } from 'vitest'
import { mikroOrmModels } from '../../../src/entry/mikro-orm.ts'
import { sequelizeModels } from '../../../src/entry/sequelize.ts'
import type { ModelSource } from '../../../src/entry/source.ts'
import { typeormModels } from '../../../src/entry/typeorm.ts'
import { createMysqlDatabase, type MysqlKind, onEachMysql } from '../../servers/test-mysql.ts'
import { serveModels } from '../../stage/serve-models.ts'

class Same extends Type<number, number> {
  override convertToJSValue(value: number): number {
    return value
  }

  override getColumnType(): string {
    return 'float'
  }
}

const id = { type: 'int', primary: true } as const

const sources: Readonly<Record<string, (kind: MysqlKind, url: string) => Promise<ModelSource>>> = {
  typeorm: async (type, url) => {
    const number = { type: 'float' } as const
    const own = { ...number, transformer: { to: (value: number) => value, from: (value: number) => value } }
    const columns = {
      ...{ id, plain: number, own },
      ...{ shown: { ...number, precision: 7, scale: 4 }, wide: { ...number, precision: 53 } },
    }
    const entities = [new EntitySchema({ name: 'Thing', tableName: 'thing', columns })]
    const source = await new DataSource({ type, url, entities }).initialize()
    onTestFinished(() => source.destroy())
    return typeormModels(source)
  },
  'mikro-orm': async (kind, clientUrl) => {
    const number = (type: string) => p.float().columnType(type)
    const properties = {
      ...{ id: p.integer().primary(), plain: p.float(), own: p.type(Same) },
      ...{ shown: number('float(7, 4)'), wide: number('float(53)') },
    }
    const entities = [defineEntity({ name: 'Thing', tableName: 'thing', properties })]
    const options = { clientUrl, entities }
    const orm = kind === 'mysql' ? await MikroMysql.init(options) : await MikroMariaDb.init(options)
    onTestFinished(() => orm.close(true))
    return mikroOrmModels(orm)
  },
  sequelize: async (dialect, url) => {
    const driver = dialect === 'mariadb' && { dialectModule: mariadb }
    const sequelize = new Sequelize(url.replace(/^\w+/, dialect), { dialect, logging: false, ...driver })
    onTestFinished(() => sequelize.close())
    const get = function (this: { getDataValue(name: string): number }): number {
      return this.getDataValue('own')
    }
    const columns = {
      ...{ plain: DataTypes.FLOAT, own: { type: DataTypes.FLOAT, get } },
      ...{ shown: DataTypes.FLOAT(7, 4), wide: 'FLOAT(53)' },
    }
    sequelize.define('Thing', columns, { tableName: 'thing', timestamps: false })
    return sequelizeModels(sequelize)
  },
}

const values = [0.1, 0.1, 0.1, 0.2, 0.2, 0.7, 0.7, 1, 123.456]

onEachMysql('numbers of single precision', (kind) => {
  for (const [orm, open] of Object.entries(sources))
    it(`are found, skipped and deleted by what a list shows, through ${orm}`, async () => {
      const { url, drop } = await createMysqlDatabase('singles', { kind })
      onTestFinished(drop)
      const connection = await mysql.createConnection(url)
      await connection.query(
        'create table thing (id int primary key auto_increment, plain float, own float, shown float(7, 4), wide float(53))',
      )
      await connection.query(
        `insert into thing (plain, own, shown, wide) values ${values.map((one) => `(${Array(4).fill(one)})`)}`,
      )
      await connection.end()
      const { send } = await serveModels({ models: await open(kind, url), close: () => undefined } as never, {
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
