import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { describe, expect, it } from 'vitest'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { file, usersTable } from '../../src/entry/drizzle-sqlite.ts'
import { fetchApp, ModelRest } from '../../src/entry/fetch.ts'
import { StartError } from '../../src/error/errors.ts'
import { defineSettings, type ModelRestOptions, type ServiceAuth } from '../../src/index.ts'
import { naming } from '../naming.ts'

const notes = sqliteTable('notes', { id: integer().primaryKey(), text: text().notNull() })
const papers = sqliteTable('papers', { id: integer().primaryKey(), content: file() })

type Given = Partial<Omit<ModelRestOptions, 'models' | 'settings'>>

const starting =
  (SECRET_KEY: string, options: Given, tables: object = { notes }, SERVICE_AUTH: ServiceAuth = {}) =>
  () =>
    new ModelRest(fetchApp(), {
      ...({ controllers: [], ...options } as object),
      models: drizzleModels(drizzle(new Database(':memory:')), { ...tables, users: usersTable }),
      settings: defineSettings({ SECRET_KEY, SERVICE_AUTH }),
    })

/** What is signed, and what makes it so. */
const signing = [
  ['cursors', { paginationType: 'cursor' }, { notes }],
  ['URLs of files', { auth: { authenticate: () => null } }, { papers }],
  ['tokens', { auth: true }, { notes }],
] as const

describe('SECRET_KEY', () => {
  it.each(signing)('must have 32 bytes where it signs %s', (_what, options, tables) => {
    for (const short of ['x', 'x'.repeat(31), 'é'.repeat(15)]) {
      const start = starting(short, options, tables)
      expect(start).toThrow(StartError)
      expect(start).toThrow(naming('SECRET_KEY', 32, `node -p "require('node:crypto')`))
    }
    for (const long of ['x'.repeat(32), 'é'.repeat(16)]) expect(starting(long, options, tables)).not.toThrow()
  })

  it('must have 32 bytes even where it signs nothing, because an option may change that', () => {
    expect(starting('x', {})).toThrow(naming('SECRET_KEY', 32))
    const jwt = { JWT_SECRET: 'x'.repeat(32) }
    expect(starting('x', { auth: true }, { notes }, jwt)).toThrow(naming('SECRET_KEY', 32))
    expect(starting('x'.repeat(32), { auth: true }, { notes }, jwt)).not.toThrow()
  })
})
