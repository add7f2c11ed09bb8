import { serial as mysqlSerial, mysqlTable, varchar as mysqlVarchar } from 'drizzle-orm/mysql-core'
import { drizzle as drizzleMysql } from 'drizzle-orm/mysql2'
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres'
import { pgTable, serial, varchar } from 'drizzle-orm/pg-core'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { expect, test } from 'vitest'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { file as mysqlFile } from '../../../src/entry/drizzle-mysql.ts'
import { file } from '../../../src/entry/drizzle-pg.ts'
import { fetchApp, ModelRest } from '../../../src/entry/fetch.ts'
import type { ModelSource } from '../../../src/index.ts'
import { createDatabase, onPostgres } from '../../servers/test-database.ts'
import { createMysqlDatabase, type MysqlKind, nameOf, onEachMysql } from '../../servers/test-mysql.ts'
import { memoryStorage } from '../../upload/memory-storage.ts'
import { type Asked, document, filePart, form } from './writing-stage.ts'

interface Stage {
  readonly models: ModelSource
  /** The keys of the files that the records hold. */
  held(): Promise<readonly string[]>
  close(): Promise<void>
}

const create =
  'create table documents (id serial primary key, title varchar(20) not null, content text not null)'

const postgres = async (): Promise<Stage> => {
  const documents = pgTable('documents', {
    id: serial().primaryKey(),
    title: varchar({ length: 20 }).notNull(),
    content: file().notNull(),
  })
  const database = await createDatabase('files')
  const pool = new pg.Pool({ connectionString: database.url, max: 8 })
  await pool.query(create)
  return {
    models: drizzleModels(drizzlePg(pool), { documents }),
    held: async () => {
      const { rows } = await pool.query<{ content: string }>('select content from documents')
      return rows.map(({ content }) => content)
    },
    close: async () => {
      await pool.end()
      await database.drop()
    },
  }
}

const mysqlOf = (kind: MysqlKind) => async (): Promise<Stage> => {
  const documents = mysqlTable('documents', {
    id: mysqlSerial().primaryKey(),
    title: mysqlVarchar({ length: 20 }).notNull(),
    content: mysqlFile().notNull(),
  })
  const database = await createMysqlDatabase('files', { kind })
  const pool = mysql.createPool({ uri: database.url, connectionLimit: 8 })
  await pool.query(create)
  return {
    models: drizzleModels(drizzleMysql(pool), { documents }),
    held: async () => {
      const [rows] = await pool.query<mysql.RowDataPacket[]>('select content from documents')
      return rows.map((row) => String(row['content']))
    },
    close: async () => {
      await pool.end()
      await database.drop()
    },
  }
}

const leavesOneFile = (database: string, open: () => Promise<Stage>): void =>
  test(`many changes of one record at once leave the one file that it holds, on ${database}`, async () => {
    const { models, held, close } = await open()
    const storage = memoryStorage()
    const app = fetchApp()
    const rest = new ModelRest<unknown>(app, {
      models,
      controllers: [],
      storage,
    })
    await rest.registerAllModels()
    const send = async (method: string, path: string, asked: Asked = {}): Promise<number> => {
      const init = { method, ...asked } as RequestInit
      return (await app.fetch(new Request(`http://localhost${path}`, init))).status
    }
    const keys = async (): Promise<readonly string[]> => {
      await rest.close()
      const found: string[] = []
      for await (const { key } of storage.list(new Date(Date.now() + 60_000))) found.push(key)
      return found
    }

    expect(await send('POST', '/documents/', document('First'))).toBe(201)
    const change = () => send('PATCH', '/documents/1', form([filePart('content')]))
    expect(await Promise.all(Array.from({ length: 60 }, change))).toEqual(Array(60).fill(200))
    expect(await keys()).toEqual(await held())

    const changes = Promise.all(Array.from({ length: 30 }, change))
    expect(await send('DELETE', '/documents/1')).toBe(204)
    expect((await changes).filter((status) => status !== 200 && status !== 404)).toEqual([])
    expect(await keys()).toEqual([])
    await close()
  })

onPostgres('files that are changed at once', () => leavesOneFile('PostgreSQL', postgres))
onEachMysql('files that are changed at once', (kind) => leavesOneFile(nameOf(kind), mysqlOf(kind)))
