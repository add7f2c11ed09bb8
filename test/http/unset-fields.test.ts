import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { controllerFor, type ModelRestOptions } from '../../src/index.ts'
import { naming } from '../naming.ts'
import { type App, type Entry, onFastify } from '../stage/apps.ts'
import { openSqlite } from '../stage/databases.ts'
import { senderTo } from '../stage/requests.ts'

const articles = sqliteTable('articles', {
  id: integer().primaryKey({ autoIncrement: true }),
  name: text().notNull(),
  slug: text().notNull(),
})

const ddl =
  'create table articles (id integer primary key autoincrement, name text not null, slug text not null)'

let app: App | undefined
afterEach(() => app?.stop())

const serve = async (options: Partial<ModelRestOptions>) => {
  const { models } = openSqlite({ articles }, ddl)
  app = await onFastify({ models, controllers: [], ...options } as ModelRestOptions, { base: '' })
  const { log } = app
  const send = senderTo(app)
  const entries = (level: Entry['level']) =>
    log
      .filter((entry) => entry.level === level)
      .map(({ line, details }) => `${line} ${JSON.stringify(details)}`)
  return { entries, post: (body: object) => send('POST', '/articles/', { body }) }
}

const unset = naming('Article.slug', 'beforeCreate')

describe.each([
  ['read-only', { readOnly: ['slug'] }],
  ['hidden', { hidden: ['slug'] }],
])('a required field that is %s', (_how, config) => {
  const modelConfig = { Article: config }

  it('is named at start if nothing sets it, and its absence is a mistake of the service', async () => {
    const { entries, post } = await serve({ modelConfig } as never)
    expect(entries('warn').filter((line) => unset.test(line))).toHaveLength(1)
    const reply = await post({ name: 'x' })
    expect(reply.json).toMatchObject({ status: 500, code: 'internal_error' })
    expect(reply.text).not.toContain('slug')
    expect(entries('error')).toEqual([expect.stringMatching(naming('Article.slug'))])
  })

  it('is a mistake of a hook that does not set it', async () => {
    const hook = controllerFor('Article', { beforeCreate: (_request, payload) => payload })
    const { entries, post } = await serve({ modelConfig, controllers: [hook] } as never)
    expect(entries('warn').filter((line) => unset.test(line))).toEqual([])
    expect((await post({ name: 'x' })).status).toBe(500)
    expect(entries('error')).toEqual([expect.stringMatching(naming('Article.slug', 'hook beforeCreate'))])
  })

  it('may be set by a hook, or refused by a permission', async () => {
    const hook = controllerFor('Article', {
      beforeCreate: (_request, payload) => ({ ...payload, slug: 'x' }),
    })
    expect(
      (await (await serve({ modelConfig, controllers: [hook] } as never)).post({ name: 'x' })).status,
    ).toBe(201)
    await app?.stop()
    const nobody = controllerFor('Article', { permissions: { create: () => false } })
    const { entries } = await serve({ modelConfig, controllers: [nobody] } as never)
    expect(entries('warn').filter((line) => unset.test(line))).toEqual([])
  })

  it('is asked for if a custom schema takes it', async () => {
    const create = z.object({ name: z.string(), slug: z.string().optional() })
    const { entries, post } = await serve({ modelConfig, customSchemas: { Article: { create } } } as never)
    expect(entries('warn').filter((line) => unset.test(line))).toEqual([])
    expect((await post({ name: 'x', slug: 'y' })).status).toBe(201)
  })
})
