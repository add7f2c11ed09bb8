import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { defineSettings, type Settings } from '../../src/index.ts'
import { type App, onFetch } from '../stage/apps.ts'
import { openSqlite, type SqliteDatabase } from '../stage/databases.ts'

const things = sqliteTable('things', {
  id: integer().primaryKey(),
  about: text(),
  name: text(),
  note: text(),
})

const LETTERS = 100_000

const ddl = 'create table things (id integer primary key, about text, name text, note text)'

let database: SqliteDatabase
beforeEach(() => {
  database = openSqlite({ things }, ddl)
  const insert = database.client.prepare('insert into things (about, name, note) values (?, ?, ?)')
  for (let row = 0; row < 50; row += 1) insert.run('a'.repeat(LETTERS), 'Lamp', null)
})
afterEach(() => database.close())

const started = (settings: Settings = {}): Promise<App> =>
  onFetch({ models: database.models, settings: defineSettings(settings) }, { base: '' })

const ask = async (app: App, query: string) => {
  const response = await app.ask(`/things/?${query}`)
  const body: { code?: string; errors?: { parameter: string }[]; count?: number } = JSON.parse(
    await response.text(),
  )
  return {
    status: response.status,
    code: body.code,
    parameter: body.errors?.[0]?.parameter,
    count: body.count,
  }
}

/** Conditions that find nothing, one of them different from the other. */
const looking = (count: number, text = 'z'): string[] =>
  Array.from({ length: count }, (_, place) => `about=${text}${place}`)
const any = (conditions: readonly string[]): string => `q=${encodeURIComponent(`(${conditions.join('|')})`)}`
const refused = (parameter: string) => ({ status: 400, code: 'malformed_query', parameter, count: undefined })

describe('conditions that look for a part of a text', () => {
  it('are ten in a request, wherever they stand', async () => {
    const app = await started()
    const ten = looking(10)
    const eleven = looking(11)
    for (const [allowed, beyond, parameter] of [
      [any(ten), any(eleven), 'q'],
      [ten.join('&'), eleven.join('&'), 'about'],
      [
        `q=${ten.map(encodeURIComponent).join('&q=')}`,
        `q=${eleven.map(encodeURIComponent).join('&q=')}`,
        'q',
      ],
      [`q=!(${ten.join('|')})`, `q=!(${eleven.join('|')})`, 'q'],
      [
        `q=(${ten.map((one) => `!(${one})`).join('|')})`,
        `q=(${eleven.map((one) => `!(${one})`).join('|')})`,
        'q',
      ],
    ] as const) {
      expect([allowed, (await ask(app, allowed)).status]).toEqual([allowed, 200])
      expect([beyond, await ask(app, beyond)]).toEqual([beyond, refused(parameter)])
    }
  })

  it('count the fields of a search, which is always allowed by itself', async () => {
    const app = await started({ QUERY_MAX_CONTAINS: 2 })
    expect(await ask(app, 'search=lamp')).toMatchObject({ status: 200, count: 50 })
    expect(await ask(app, 'search=lamp&id>0')).toMatchObject({ status: 200, count: 50 })
    expect(await ask(app, 'search=lamp&name=lamp')).toEqual(refused('search'))
    const four = await started({ QUERY_MAX_CONTAINS: 4 })
    expect(await ask(four, 'search=lamp&name=lamp')).toMatchObject({ status: 200, count: 50 })
    expect(await ask(four, 'search=lamp&name=lamp&name=amp')).toEqual(refused('search'))
  })

  it('count once for every 50 characters', async () => {
    const app = await started()
    expect(await ask(app, `about=${'a'.repeat(500)}`)).toMatchObject({ status: 200, count: 50 })
    expect(await ask(app, `about=${'a'.repeat(501)}`)).toEqual(refused('about'))
    expect(await ask(app, `about=${'a'.repeat(451)}&name=x`)).toEqual(refused('name'))
    expect(await ask(app, `search=${'a'.repeat(400)}`)).toMatchObject({ status: 200, count: 50 })
    expect(await ask(app, `search=${'a'.repeat(401)}`)).toEqual(refused('search'))
  })

  it('count nothing that is compared as a whole', async () => {
    const app = await started()
    const whole = looking(50).map((one) => one.replace('=', '=='))
    expect(await ask(app, any(whole))).toMatchObject({ status: 200, count: 0 })
    const keys = looking(50).map((_, place) => `id=${place}`)
    expect(await ask(app, any(keys))).toMatchObject({ status: 200, count: 49 })
  })

  it('cost no more for texts that nearly match than for others', async () => {
    const app = await started()
    const cpuOf = async (query: string): Promise<number> => {
      let least = Number.POSITIVE_INFINITY
      for (let run = 0; run < 3; run += 1) {
        const before = process.cpuUsage()
        expect(await ask(app, `${query}&id>${-run}`)).toMatchObject({ status: 200, count: 0 })
        const { user, system } = process.cpuUsage(before)
        least = Math.min(least, user + system)
      }
      return least
    }
    const others = await cpuOf(any(looking(10, 'z'.repeat(31))))
    // It is 3 on a quiet machine, and was 100.
    expect((await cpuOf(any(looking(10, `${'a'.repeat(31)}z`)))) / others).toBeLessThan(20)
    expect((await cpuOf(any(looking(1, `${'a'.repeat(490)}z`)))) / others).toBeLessThan(20)
  })
})
