import { inspect } from 'node:util'
import { defineEntity, type EntityManager, type Options, p, RequestContext } from '@mikro-orm/core'
import { MikroORM } from '@mikro-orm/postgresql'
import { expect, it, onTestFinished } from 'vitest'
import { everything } from '../../../src/entry/source.ts'
import { createDatabase, onPostgres } from '../../servers/test-database.ts'
import { execute } from './execute.ts'
import { all, shopOf } from './shop.ts'

const Thing = (schema?: string) =>
  defineEntity({
    ...{ name: 'Thing', ...(schema && { schema }) },
    properties: { id: p.integer().primary(), name: p.string().nullable() },
  })

const opened = async (options: Partial<Options>) => {
  const { url, drop } = await createDatabase('shop')
  onTestFinished(drop)
  const orm = await MikroORM.init({ ...(options as object), clientUrl: url, pool: { max: 2 } })
  onTestFinished(() => orm.close(true))
  return { ...shopOf(orm as never), orm, run: (sql: string) => execute(orm.em.fork() as never, sql) }
}

onPostgres('entities on PostgreSQL', () => {
  it('are in the schema of the ORM', async () => {
    const { orm, run, store } = await opened({ entities: [Thing()], schema: 'app' })
    await orm.schema.create()
    await store('Thing').create({ name: 'a' })
    expect(await run('select name from app.thing')).toEqual([{ name: 'a' }])
    const { source } = shopOf(orm as never)
    expect(await source.missing?.(source.models)).toEqual([])
  })

  it('are in the schema of the request', async () => {
    const { orm, run, store } = await opened({ entities: [Thing('*')] })
    for (const schema of ['one', 'two', 'public']) {
      await run(`create schema if not exists ${schema}`)
      await run(`create table ${schema}.thing (id serial primary key, name text)`)
      await run(`insert into ${schema}.thing (name) values ('${schema}')`)
    }
    const inTwo = async () => {
      expect(await store('Thing').list(all, everything)).toMatchObject([{ name: 'two' }])
      await store('Thing').create({ name: 'new' })
      expect(await store('Thing').update([1], { name: 'x' }, everything)).toMatchObject({ name: 'x' })
      expect(await store('Thing').remove([1], everything)).toBe(true)
    }
    await RequestContext.create(orm.em, inTwo, { schema: 'two' })
    expect(await run('select name from two.thing')).toEqual([{ name: 'new' }])
    expect(await run('select name from public.thing')).toEqual([{ name: 'public' }])
    expect(await run('select name from one.thing')).toEqual([{ name: 'one' }])
  })

  it('a statement that times out in a transaction keeps no place in the pool', async () => {
    const driverOptions = { connectionTimeoutMillis: 10_000, query_timeout: 100 }
    const { orm, source, store } = await opened({ entities: [Thing()], driverOptions })
    await orm.schema.create()
    for (let at = 0; at < 3; at++)
      await expect(
        source.transaction(async ({ db }) => execute(db as EntityManager, 'select pg_sleep(1)')),
      ).rejects.toMatchObject({ kind: 'unavailable' })
    expect(await store('Thing').count(everything, everything)).toBe(0)
    expect(await source.transaction(async () => 'done')).toBe('done')
  })

  it('have errors of the database in the log without their details', async () => {
    const { run, source } = await opened({ entities: [Thing()] })
    const failing = run(`do $$ begin raise exception 'mine' using detail = 's3cret', hint = 's3cret'; end $$`)
    const logged = inspect(source.loggable?.(await failing.catch((error: unknown) => error)))
    expect(logged).toContain('mine')
    expect(logged).not.toContain('s3cret')
  })

  it('are read from the primary, also by those who hear that they are loaded', async () => {
    const replica = await createDatabase('replica')
    onTestFinished(replica.drop)
    const onLoad = async () => {}
    const { orm, store } = await opened({
      ...{ entities: [Thing()], subscribers: [{ onLoad }] },
      replicas: [{ clientUrl: replica.url }],
    })
    await orm.schema.create()
    expect(await store('Thing').create({ name: 'a' })).toMatchObject({ name: 'a' })
    expect(await store('Thing').list(all, everything)).toMatchObject([{ name: 'a' }])
  })
})
