import { serial as mysqlSerial, mysqlTable, varchar as mysqlVarchar } from 'drizzle-orm/mysql-core'
import { pgTable, serial, varchar } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import { file as mysqlFile } from '../../../src/entry/drizzle-mysql.ts'
import { file } from '../../../src/entry/drizzle-pg.ts'
import { onPostgres } from '../../servers/test-database.ts'
import { type MysqlKind, nameOf, onEachMysql } from '../../servers/test-mysql.ts'
import { onFetch } from '../../stage/apps.ts'
import type { TestDatabase } from '../../stage/databases.ts'
import { openMysql } from '../../stage/mysql.ts'
import { openPostgres } from '../../stage/postgres.ts'
import { memoryStorage } from '../../upload/memory-storage.ts'
import { type Asked, document, filePart, form } from './writing-stage.ts'

const create =
  'create table documents (id serial primary key, title varchar(20) not null, content text not null)'

const postgres = async (): Promise<TestDatabase> => {
  const documents = pgTable('documents', {
    id: serial().primaryKey(),
    title: varchar({ length: 20 }).notNull(),
    content: file().notNull(),
  })
  return openPostgres({ documents }, create, { connections: 8 })
}

const mysqlOf = (kind: MysqlKind) => async (): Promise<TestDatabase> => {
  const documents = mysqlTable('documents', {
    id: mysqlSerial().primaryKey(),
    title: mysqlVarchar({ length: 20 }).notNull(),
    content: mysqlFile().notNull(),
  })
  return openMysql(kind, { documents }, create, { connections: 8 })
}

const leavesOneFile = (database: string, open: () => Promise<TestDatabase>): void =>
  test(`many changes of one record at once leave the one file that it holds, on ${database}`, async () => {
    const { models, rows, close } = await open()
    const storage = memoryStorage()
    const app = await onFetch({ models, controllers: [], storage }, { base: '', onlyModels: true })
    const send = async (method: string, path: string, asked: Asked = {}): Promise<number> => {
      const init = { method, ...asked } as RequestInit
      return (await app.ask(path, init)).status
    }
    /** The keys of the files that the records hold. */
    const held = async (): Promise<readonly unknown[]> =>
      (await rows('select content from documents')).map(({ content }) => content)
    const keys = async (): Promise<readonly string[]> => {
      await app.rest.close()
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
