import { MikroORM as MariaDbOrm } from '@mikro-orm/mariadb'
import { MikroORM as MySqlOrm } from '@mikro-orm/mysql'
import { type SQL, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/mysql2'
import mariadb from 'mariadb'
import mysql from 'mysql2/promise'
import { Sequelize } from 'sequelize'
import { DataSource } from 'typeorm'
import { expect, it, onTestFinished } from 'vitest'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { mikroOrmModels } from '../../src/entry/mikro-orm.ts'
import { sequelizeModels } from '../../src/entry/sequelize.ts'
import { everything, type ModelSource } from '../../src/entry/source.ts'
import { typeormModels } from '../../src/entry/typeorm.ts'
import { createMysql, mysqlLibrary } from '../contract/library.ts'
import { executeWithOrm } from '../http/orm-things.ts'
import { naming } from '../naming.ts'
import { createMysqlDatabase, type MysqlKind, onEachMysql, startMysqlServer } from '../servers/test-mysql.ts'
import { onFetch } from '../stage/apps.ts'
import { senderTo } from '../stage/requests.ts'
import { libraryEntities as mikroOrmLibrary } from './mikro-orm/library.ts'
import { defineLibrary } from './sequelize/library.ts'
import { settingsOf } from './settings.ts'
import { libraryEntities as typeormLibrary } from './typeorm/library.ts'

interface Opened {
  readonly source: ModelSource
  close(): Promise<unknown>
}

type Open = (url: string, kind: MysqlKind) => Promise<Opened>

/** Sources whose pools keep no connection that nobody uses. */
const sources: Readonly<Record<string, Open>> = {
  drizzleModels: async (uri) => {
    const pool = mysql.createPool({ uri, connectionLimit: 4 })
    return { source: drizzleModels(drizzle(pool), mysqlLibrary), close: () => pool.end() }
  },
  typeormModels: async (url, kind) => {
    const entities = Object.values(typeormLibrary('mysql'))
    const dataSource = await new DataSource({ type: kind, url, poolSize: 4, entities }).initialize()
    return { source: typeormModels(dataSource), close: () => dataSource.destroy() }
  },
  mikroOrmModels: async (clientUrl, kind) => {
    const options = { clientUrl, pool: { max: 4 }, entities: Object.values(mikroOrmLibrary('mysql')) }
    const orm = kind === 'mysql' ? await MySqlOrm.init(options) : await MariaDbOrm.init(options)
    return { source: mikroOrmModels(orm), close: () => orm.close(true) }
  },
  sequelizeModels: async (url, kind) => {
    const sequelize = new Sequelize(url.replace(/^mysql/, kind), {
      ...{ dialect: kind, logging: false, pool: { max: 4 } },
      ...(kind === 'mariadb' && { dialectModule: mariadb }),
    })
    defineLibrary(sequelize)
    return { source: sequelizeModels(sequelize), close: () => sequelize.close() }
  },
}

const execute = (db: unknown, statement: string): unknown =>
  executeWithOrm(db, statement) ?? (db as { execute(query: SQL): unknown }).execute(sql.raw(statement))

onEachMysql('requests in sessions without backslashes', (kind) => {
  it.each(Object.entries(sources))('%s finds nothing by a filter that ends early', async (_adapter, open) => {
    const { url, drop } = await createMysqlDatabase('library', { kind })
    onTestFinished(drop)
    const admin = await mysql.createConnection({ uri: url, multipleStatements: true })
    for (const statement of createMysql) await admin.query(statement)
    await admin.query(`insert into authors (name) values ('one'), ('other')`)
    await admin.end()
    const { source, close } = await open(url, kind)
    onTestFinished(async () => void (await close()))
    const send = senderTo(await onFetch({ models: source }, { base: '' }))
    await settingsOf(kind, source, execute).settings.set(`set session sql_mode = 'NO_BACKSLASH_ESCAPES'`)
    for (const text of [
      'x")) or 1=1 -- ',
      `x')) or 1=1 -- `,
      `x\\')) or 1=1 -- `,
      `\\' union select 1, 2, 3, 4 -- `,
    ]) {
      const value = encodeURIComponent(`name=="${text.replaceAll(/["\\]/g, '\\$&')}"`)
      const { status, json } = await send('GET', `/authors/?count=none&q=${value}`)
      expect([status, json['items']], text).toEqual([200, []])
    }
  })
})

onEachMysql('sessions of a server whose settings change', (kind) => {
  it.each(Object.entries(sources))('%s', { timeout: 120_000 }, async (adapter, open) => {
    const server = await startMysqlServer(kind)
    onTestFinished(() => server.stop())
    const { url } = await createMysqlDatabase('library', { kind, server: server.url })
    const admin = await mysql.createConnection({ uri: url, multipleStatements: true })
    onTestFinished(() => admin.end())
    for (const statement of createMysql) await admin.query(statement)
    const opened = async (): Promise<Opened> => {
      const made = await open(url, kind)
      onTestFinished(async () => void (await made.close()))
      return made
    }

    const { source } = await opened()
    expect(await source.missing?.(source.models)).toEqual([])
    await admin.query(`set global sql_mode = 'NO_BACKSLASH_ESCAPES', global sql_select_limit = 1`)
    // A server that ends connections lets pools open others.
    const [own] = await admin.query<mysql.RowDataPacket[]>('select connection_id() as id')
    const [processes] = await admin.query<mysql.RowDataPacket[]>('show processlist')
    for (const { Id, User } of processes)
      if (Id !== own[0]?.['id'] && User === 'root') await admin.query(`kill ${Id}`).catch(() => undefined)
    await Promise.resolve(source.ping()).catch(() => undefined)

    const [author] = source.models.filter(({ name }) => name === 'Author')
    if (author === undefined) return expect.fail('No model Author.')
    const store = source.store(author)
    const name = `\\' or 1=1 -- `
    for (const each of ['x', name]) await store.create({ name: each })
    await expect(store.create({ name: 'x'.repeat(101) })).rejects.toMatchObject({ kind: 'value' })
    const order = [{ field: 'id', direction: 'asc' }] as const
    const found = await store.list(
      { filter: { op: 'eq', field: 'name', value: name }, order, limit: 9, offset: 0 },
      everything,
    )
    expect(found.map((row) => row['name'])).toEqual([name])

    for (const [mode, word] of [
      ['NO_BACKSLASH_ESCAPES,STRICT_ALL_TABLES', 'NO_BACKSLASH_ESCAPES'],
      ['PAD_CHAR_TO_FULL_LENGTH,STRICT_ALL_TABLES', 'PAD_CHAR_TO_FULL_LENGTH'],
      ['ANSI', 'STRICT_TRANS_TABLES'],
    ] as const) {
      await admin.query(`set global sql_mode = '${mode}'`)
      const started = await opened()
      const refused = Promise.resolve(started.source.missing?.(started.source.models))
      await expect(refused, mode).rejects.toThrow(naming(adapter, word))
    }
  })
})

onEachMysql('sessions that an application resets', (kind) => {
  it('stay as modelrest set them, and its own format of statements gets plain values', async () => {
    const { url: uri, drop } = await createMysqlDatabase('library', { kind })
    onTestFinished(drop)
    const formatted: unknown[] = []
    const pool = mysql.createPool({
      uri,
      ...{ connectionLimit: 1, resetOnRelease: true },
      queryFormat: (statement: string, values: unknown) => {
        formatted.push(values)
        return mysql.format(statement, values as string[])
      },
    })
    onTestFinished(() => pool.end())
    for (const statement of createMysql) await pool.query(statement)
    const source = drizzleModels(drizzle(pool), mysqlLibrary)
    expect(await source.missing?.(source.models)).toEqual([])
    const modes = async (): Promise<unknown> =>
      (await pool.query('select @modelrest_sql_mode is not null as isSet, ? as text', ['a']))[0]
    expect(await modes()).toEqual([{ isSet: 1, text: 'a' }])
    expect(formatted).toContainEqual(['a'])
    const connection = await pool.getConnection()
    await connection.changeUser({})
    connection.release()
    expect(await modes()).toEqual([{ isSet: 1, text: 'a' }])
  })
})
