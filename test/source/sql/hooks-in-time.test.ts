import { defineEntity, type MikroORM, p } from '@mikro-orm/core'
import { MikroORM as MikroMariaDb } from '@mikro-orm/mariadb'
import { MikroORM as MikroPostgres } from '@mikro-orm/postgresql'
import { MikroORM as MikroSqlite } from '@mikro-orm/sqlite'
import mariadb from 'mariadb'
import { DataTypes, Sequelize } from 'sequelize'
import { DataSource, type DataSourceOptions, EntitySchema } from 'typeorm'
import { describe, expect, it, onTestFinished } from 'vitest'
import { mikroOrmModels } from '../../../src/entry/mikro-orm.ts'
import { sequelizeModels } from '../../../src/entry/sequelize.ts'
import type { ModelSource } from '../../../src/entry/source.ts'
import { typeormModels } from '../../../src/entry/typeorm.ts'
import { naming } from '../../naming.ts'
import { createDatabase, onPostgres } from '../../servers/test-database.ts'
import { createMysqlDatabase, onMariaDb } from '../../servers/test-mysql.ts'
import { serveModels } from '../../stage/serve-models.ts'
import { nodeSqlite } from '../sequelize/node-sqlite.ts'

type Dialect = 'postgres' | 'mariadb' | 'sqlite'

/** What a hook does for a record, by its title. */
type Hook = (title: string, id: number) => Promise<void>

interface Opened {
  readonly source: ModelSource
  /** Writes past the transaction. */
  write(id: number): Promise<unknown>
}

type Open = (dialect: Dialect, url: string, hook: Hook) => Promise<Opened>

const CONNECTIONS = 2
const TABLE = 'draft'

const sources: Readonly<Record<string, readonly [handle: string, open: Open]>> = {
  typeorm: [
    'event.manager',
    async (dialect, url, hook) => {
      const columns = {
        id: { type: 'int', primary: true, generated: 'increment' },
        title: { type: 'varchar' },
      } as const
      const entities = [
        new EntitySchema<{ id: number; title: string }>({ name: 'Draft', tableName: TABLE, columns }),
      ]
      const place =
        dialect === 'sqlite'
          ? { type: 'better-sqlite3', database: ':memory:' }
          : { type: dialect, url, poolSize: CONNECTIONS }
      const options = { ...place, entities, synchronize: true } as DataSourceOptions
      const db = await new DataSource(options).initialize()
      onTestFinished(() => db.destroy())
      const heard = ({ entity }: { entity?: object | undefined }) =>
        hook(Reflect.get(Object(entity), 'title'), Reflect.get(Object(entity), 'id'))
      db.subscribers.push({
        afterInsert: heard,
        afterUpdate: heard,
      })
      const update = `update ${TABLE} set title = 'hook' where id = `
      return { source: typeormModels(db), write: (id) => db.query(update + id) }
    },
  ],
  'mikro-orm': [
    'args.em',
    async (dialect, clientUrl, hook) => {
      const properties = { id: p.integer().primary().autoincrement(), title: p.string() }
      const Draft = defineEntity({ name: 'Draft', tableName: TABLE, properties })
      const heard = async ({ entity }: { entity: { title: string; id: number } }) =>
        hook(entity.title, entity.id)
      const subscriber = { afterCreate: heard, afterUpdate: heard }
      const options = { entities: [Draft], subscribers: [subscriber as never] }
      const onServer = { ...options, clientUrl, pool: { max: CONNECTIONS } }
      const orm = (await (dialect === 'sqlite'
        ? MikroSqlite.init({ ...options, dbName: ':memory:' })
        : dialect === 'postgres'
          ? MikroPostgres.init(onServer)
          : MikroMariaDb.init(onServer))) as unknown as MikroORM
      onTestFinished(() => orm.close(true))
      await orm.schema.create()
      return {
        source: mikroOrmModels(orm),
        write: (id) => orm.em.fork().nativeUpdate(Draft, { id }, { title: 'hook' }),
      }
    },
  ],
  sequelize: [
    'options.transaction',
    async (dialect, url, hook) => {
      const driver = {
        ...(dialect === 'mariadb' && { dialectModule: mariadb }),
        ...{ dialect, logging: false, pool: { max: CONNECTIONS } },
      }
      const sequelize =
        dialect === 'sqlite'
          ? new Sequelize({ ...driver, dialectModule: nodeSqlite, storage: ':memory:' })
          : new Sequelize(url.replace(/^\w+/, dialect), driver)
      onTestFinished(() => sequelize.close())
      const heard = (record: object) => hook(Reflect.get(record, 'title'), Reflect.get(record, 'id'))
      const Draft = sequelize.define(
        'Draft',
        { title: DataTypes.STRING },
        {
          ...{ tableName: TABLE, timestamps: false },
          hooks: { afterCreate: heard, afterUpdate: heard } as object,
        },
      )
      await sequelize.sync()
      return {
        source: sequelizeModels(sequelize),
        write: (id) => Draft.update({ title: 'hook' }, { where: { id }, hooks: false }),
      }
    },
  ],
}

const onEach = (define: (dialect: Dialect, url: () => Promise<string>) => void): void => {
  const kept = ({ url, drop }: { url: string; drop(): Promise<void> }): string => {
    onTestFinished(drop)
    return url
  }
  describe('on SQLite', () => define('sqlite', async () => ''))
  onPostgres('hooks of an ORM on PostgreSQL', () =>
    describe('on PostgreSQL', () => define('postgres', async () => kept(await createDatabase('hooks')))),
  )
  onMariaDb('hooks of an ORM on MariaDB', () =>
    describe('on MariaDB', () => define('mariadb', async () => kept(await createMysqlDatabase('hooks')))),
  )
}

describe('hooks of an ORM', () => {
  onEach((dialect, url) => {
    for (const [orm, [handle, open]] of Object.entries(sources))
      it(`end in time, and give their connection back, with ${orm}`, async () => {
        const { source, write } = await open(dialect, await url(), async (title, id) => {
          if (title === 'never') await new Promise(() => undefined)
          if (title === 'past') await write(id)
        })
        const { send, entries } = await serveModels({ models: source, close: () => undefined } as never, {
          settings: { TRANSACTION_TIMEOUT: 1 },
        })
        // Statements of SQLite join the transaction of its only connection.
        const titles = dialect === 'sqlite' ? ['never'] : ['never', 'past']
        for (const title of titles) {
          const sent = Array.from({ length: CONNECTIONS }, () => send('POST', '/drafts/', { title }))
          // 503 where opening the connection took most of the time.
          for (const [status] of await Promise.all(sent)) expect([500, 503]).toContain(status)
        }
        expect(JSON.stringify(entries)).toMatch(naming('TRANSACTION_TIMEOUT', 1, handle))
        const [status, draft] = await send('POST', '/drafts/', { title: 'a' })
        expect([status, draft]).toMatchObject([201, { title: 'a' }])
        const path = `/drafts/${Reflect.get(Object(draft), 'id')}`
        expect(await send('PATCH', path, { title: 'never' })).toMatchObject([500, {}])
        expect(await send('PATCH', path, { title: 'b' })).toMatchObject([200, { title: 'b' }])
        expect(await send('GET', '/drafts/')).toMatchObject([200, { items: [{ title: 'b' }] }])
        expect(await send('DELETE', path)).toMatchObject([204, undefined])
      })
  })
})
