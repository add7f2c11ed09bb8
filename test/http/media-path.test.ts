import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { file } from '../../src/entry/drizzle-sqlite.ts'
import { defineSettings, type ModelRestOptions } from '../../src/index.ts'
import { serveModels } from './serve-models.ts'

const media = sqliteTable('media', { id: integer().primaryKey(), path: text() })
const letters = sqliteTable('letters', { id: integer().primaryKey(), scan: file() })

const start = (tables: Record<string, unknown>, options: Partial<ModelRestOptions> = {}) => {
  const client = new Database(':memory:')
  const folder = mkdtempSync(join(tmpdir(), 'modelrest-'))
  onTestFinished(() => {
    client.close()
    rmSync(folder, { recursive: true, force: true })
  })
  client.exec(`create table media (id integer primary key, path text);
    create table letters (id integer primary key, scan text)`)
  const settings = defineSettings({ BASE_DIR: folder })
  return serveModels(drizzleModels(drizzle({ client }), tables), { settings, ...options })
}

describe('the path /media', () => {
  it('is a model’s where no model has files', async () => {
    const { send, rest } = await start({ media })
    expect(await send('POST', '/media', { path: '/a/b.png' })).toMatchObject([201, { path: '/a/b.png' }])
    expect(await send('GET', '/media/1')).toMatchObject([200, { path: '/a/b.png' }])
    expect(Object.keys(rest.openapi().paths)).toEqual(['/media/', '/media/{id}'])
  })

  it.each<[string, Record<string, unknown>, Partial<ModelRestOptions>]>([
    ['another has a column for files', { media, letters }, {}],
    ['the options name a file field', { media }, { fileFields: { Media: ['path'] } } as object],
  ])('is reserved where %s', async (_why, tables, options) => {
    await expect(start(tables, options)).rejects.toThrow(/Media: the path \/media is reserved.*modelConfig/)
    await expect(
      start(tables, { ...options, modelConfig: { Media: { path: 'pictures' } } }),
    ).resolves.toBeDefined()
  })

  it('is that of health where no model has files', async () => {
    const health = { path: 'media' }
    const { send } = await start({ media }, { health, modelConfig: { Media: { path: 'pictures' } } })
    expect((await send('GET', '/media/live'))[0]).toBe(200)
    await expect(start({ letters }, { health })).rejects.toThrow(/\/media is reserved/)
  })
})
