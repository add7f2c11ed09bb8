import { int, mysqlTable, timestamp } from 'drizzle-orm/mysql-core'
import { expect, it } from 'vitest'
import { StartError } from '../../../src/error/errors.ts'
import { errorOf } from '../../contract/drizzle-source/stage.ts'
import { naming } from '../../naming.ts'
import { onEachMysql, startMysqlServer } from '../../servers/test-mysql.ts'
import { type Opening, openMysql } from './open-mysql.ts'

const plain = mysqlTable('things', { id: int().primaryKey().autoincrement() })
const timed = mysqlTable('things', { id: int().primaryKey().autoincrement(), at: timestamp() })
const create = ['create table things (id int primary key auto_increment, at timestamp null)']

const session = (set: string): Opening => ({ session: `set ${set}` })

onEachMysql('what a database has to be at start', (kind) => {
  /** What is said at start of a database whose sessions are such. */
  const saidOf = async (opening: Opening, table: object = plain): Promise<string> => {
    const { source, close } = await openMysql(create, { things: table }, { kind, ...opening })
    try {
      const error = await errorOf(async () => {
        const missing = (await source.missing?.(source.models)) ?? []
        throw new Error(`missing: ${missing.map(({ model }) => model)}`)
      })
      if (error instanceof StartError) return error.message
      return error instanceof Error && error.message === 'missing: ' ? 'nothing' : String(error)
    } finally {
      await close()
    }
  }

  it('strict, so that nothing is cut off', async () => {
    expect(await saidOf({})).toBe('nothing')
    expect(await saidOf(session(`sql_mode = 'ANSI,STRICT_ALL_TABLES'`))).toBe('nothing')
    expect(await saidOf(session(`sql_mode = ''`))).toMatch(
      naming('drizzleModels', 'sql_mode', 'db', 'STRICT_TRANS_TABLES'),
    )
  })

  it('with backslashes, since drivers escape by them', async () => {
    const modes = `sql_mode = 'STRICT_TRANS_TABLES,NO_BACKSLASH_ESCAPES'`
    expect(await saidOf(session(modes))).toMatch(
      naming('drizzleModels', 'sql_mode', 'db', 'NO_BACKSLASH_ESCAPES'),
    )
  })

  it('with all characters', async () => {
    expect(await saidOf({ options: { charset: 'latin1' } })).toMatch(
      naming('drizzleModels', 'db', 'latin1', 'utf8mb4'),
    )
    expect(await saidOf(session('names utf8mb3'))).toMatch(
      naming('drizzleModels', 'db', 'utf8mb3', 'utf8mb4'),
    )
  })

  it('without a summer time, where there is a timestamp', async () => {
    const inAmsterdam = await startMysqlServer(kind, { zone: 'Europe/Amsterdam' })
    const server = inAmsterdam.url
    expect(await saidOf({ server }, timed)).toMatch(naming('drizzleModels', 'db', 'Thing', 'app', '+00:00'))
    expect(await saidOf({ server })).toBe('nothing')
    expect(await saidOf({ server, ...session(`time_zone = '+00:00'`) }, timed)).toBe('nothing')
    await inAmsterdam.stop()
  })
})
