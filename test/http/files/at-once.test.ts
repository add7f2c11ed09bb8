import { drizzle } from 'drizzle-orm/node-postgres'
import { pgTable, serial, varchar } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { expect, test } from 'vitest'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { file } from '../../../src/entry/drizzle-pg.ts'
import { fetchApp, ModelRest } from '../../../src/entry/fetch.ts'
import { createDatabase, onPostgres } from '../../servers/test-database.ts'
import { memoryStorage } from '../../upload/memory-storage.ts'
import { type Asked, document, filePart, form } from './writing-stage.ts'

const documents = pgTable('documents', {
  id: serial().primaryKey(),
  title: varchar({ length: 20 }).notNull(),
  content: file().notNull(),
})

onPostgres('files that are changed at once', () => {
  test('many changes of one record at once leave the one file that it holds', async () => {
    const database = await createDatabase('files')
    const pool = new pg.Pool({ connectionString: database.url, max: 8 })
    await pool.query(
      'create table documents (id serial primary key, title varchar(20) not null, content text not null)',
    )
    const storage = memoryStorage()
    const app = fetchApp()
    const rest = new ModelRest<unknown>(app, {
      models: drizzleModels(drizzle(pool), { documents }),
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
    const { rows } = await pool.query<{ content: string }>('select content from documents')
    expect(await keys()).toEqual(rows.map(({ content }) => content))

    const changes = Promise.all(Array.from({ length: 30 }, change))
    expect(await send('DELETE', '/documents/1')).toBe(204)
    expect((await changes).filter((status) => status !== 200 && status !== 404)).toEqual([])
    expect(await keys()).toEqual([])
    await pool.end()
    await database.drop()
  })
})
