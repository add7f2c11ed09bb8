import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { file } from '../../src/entry/drizzle-sqlite.ts'
import { defineSettings, type ModelRestOptions } from '../../src/index.ts'
import { openSqlite } from '../stage/databases.ts'
import { serveModels } from '../stage/serve-models.ts'
import { startError } from './start-error.ts'

const media = sqliteTable('media', { id: integer().primaryKey(), path: text() })
const letters = sqliteTable('letters', { id: integer().primaryKey(), scan: file() })

const ddl = `
  create table media (id integer primary key, path text);
  create table letters (id integer primary key, scan text)`

const start = (tables: Record<string, unknown>, options: Partial<ModelRestOptions> = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'modelrest-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const settings = defineSettings({ BASE_DIR: folder })
  return serveModels(openSqlite(tables, ddl), { settings, ...options })
}

describe('the path /media', () => {
  it('is a model’s where no model has files', async () => {
    const { send, rest } = await start({ media })
    expect(await send('POST', '/media', { path: '/a/b.png' })).toMatchObject([201, { path: '/a/b.png' }])
    expect(await send('GET', '/media/1')).toMatchObject([200, { path: '/a/b.png' }])
    expect(Object.keys(rest.openapi().paths)).toEqual([
      '/media/',
      '/media/{id}',
      '/media/aggregate',
      '/access',
    ])
  })

  it.each<[string, Record<string, unknown>, Partial<ModelRestOptions>]>([
    ['another has a column for files', { media, letters }, {}],
    ['the options name a file field', { media }, { fileFields: { Media: ['path'] } } as object],
  ])('is reserved where %s', async (_why, tables, options) => {
    await expect(start(tables, options)).rejects.toThrow(startError('Media', '/media', 'modelConfig'))
    await expect(
      start(tables, { ...options, modelConfig: { Media: { path: 'pictures' } } }),
    ).resolves.toBeDefined()
  })

  it('is that of health where no model has files', async () => {
    const health = { path: 'media' }
    const { send } = await start({ media }, { health, modelConfig: { Media: { path: 'pictures' } } })
    expect((await send('GET', '/media/live'))[0]).toBe(200)
    await expect(start({ letters }, { health })).rejects.toThrow(startError('health.path', '/media'))
  })
})
