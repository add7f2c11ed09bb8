import { defineEntity, p } from '@mikro-orm/core'
import { DataTypes } from 'sequelize'
import { EntitySchema } from 'typeorm'
import { expect, it } from 'vitest'
import type { ModelSource } from '../../../src/entry/source.ts'
import { counted, type Kind, onEachKind, type Place } from '../../http/orm-places.ts'
import { naming } from '../../naming.ts'
import { serveModels } from '../../stage/serve-models.ts'
import { placeOf, withMikroOrm, withSequelize, withTypeorm } from '../open-orms.ts'

/** What a hook does for a record, by its title. */
type Hook = (title: string, id: number) => Promise<void>

interface Opened {
  readonly source: ModelSource
  /** Writes past the transaction. */
  write(id: number): Promise<unknown>
}

type Open = (place: Place, hook: Hook) => Promise<Opened>

/** So many transactions at once take all connections of a pool. On the only one of SQLite, one waits for another. */
const connections = (kind: Kind): number => (kind === 'sqlite' ? 2 : 4)

const TABLE = 'draft'

const sources: Readonly<Record<string, readonly [handle: string, open: Open]>> = {
  typeorm: [
    'event.manager',
    async (place, hook) => {
      const columns = {
        id: { type: 'int', primary: true, generated: 'increment' },
        title: { type: 'varchar' },
      } as const
      const Draft = new EntitySchema<{ id: number; title: string }>({
        name: 'Draft',
        tableName: TABLE,
        columns,
      })
      const { source, dataSource } = await withTypeorm(place, Draft)
      const heard = ({ entity }: { entity?: object | undefined }) =>
        hook(Reflect.get(Object(entity), 'title'), Reflect.get(Object(entity), 'id'))
      dataSource.subscribers.push({ afterInsert: heard, afterUpdate: heard })
      const update = `update ${TABLE} set title = 'hook' where id = `
      return { source, write: (id) => dataSource.query(update + id) }
    },
  ],
  'mikro-orm': [
    'args.em',
    async (place, hook) => {
      const properties = { id: p.integer().primary().autoincrement(), title: p.string() }
      const Draft = defineEntity({ name: 'Draft', tableName: TABLE, properties })
      const heard = async ({ entity }: { entity: { title: string; id: number } }) =>
        hook(entity.title, entity.id)
      const subscribers = [{ afterCreate: heard, afterUpdate: heard } as never]
      const { source, orm } = await withMikroOrm(place, [Draft], { subscribers })
      return { source, write: (id) => orm.em.fork().nativeUpdate(Draft, { id }, { title: 'hook' }) }
    },
  ],
  sequelize: [
    'options.transaction',
    async (place, hook) => {
      const heard = (record: object) => hook(Reflect.get(record, 'title'), Reflect.get(record, 'id'))
      const hooks = { afterCreate: heard, afterUpdate: heard } as object
      const { source, sequelize } = withSequelize(place, (instance) =>
        instance.define('Draft', { title: DataTypes.STRING }, { tableName: TABLE, hooks }),
      )
      const { Draft } = sequelize.models
      return {
        source,
        write: async (id) => Draft?.update({ title: 'hook' }, { where: { id }, hooks: false }),
      }
    },
  ],
}

onEachKind('hooks of an ORM', (kind) => {
  for (const [orm, [handle, open]] of Object.entries(sources))
    it(`end in time, and give their connection back, with ${orm}`, async () => {
      const place = await placeOf(
        kind,
        `create table ${TABLE} (id ${counted[kind]}, title varchar(50) not null)`,
      )
      const all = Promise.withResolvers<void>()
      const many = connections(kind)
      let running = 0
      const { source, write } = await open(place, async (title, id) => {
        if (title === 'never') await new Promise(() => undefined)
        if (title !== 'past') return
        // Now no connection is free.
        running += 1
        if (running === many) all.resolve()
        await all.promise
        await write(id)
      })
      const { send, entries } = await serveModels({ models: source, close: () => undefined } as never, {
        settings: { TRANSACTION_TIMEOUT: 1 },
      })
      // Statements of SQLite join the transaction of its only connection.
      const titles = kind === 'sqlite' ? ['never'] : ['never', 'past']
      for (const title of titles) {
        const sent = Array.from({ length: many }, () => send('POST', '/drafts/', { title }))
        const statuses = (await Promise.all(sent)).map(([status]) => status)
        // 503 where opening the connection took most of the time, 201 where one that had begun before gave its connection back.
        const most = title === 'never' ? many : 1
        expect(statuses.filter((status) => status === 500 || status === 503).length).toBeGreaterThanOrEqual(
          most,
        )
      }
      expect(JSON.stringify(entries)).toMatch(naming('TRANSACTION_TIMEOUT', 1, handle))
      const [status, draft] = await send('POST', '/drafts/', { title: 'a' })
      expect([status, draft]).toMatchObject([201, { title: 'a' }])
      const path = `/drafts/${Reflect.get(Object(draft), 'id')}`
      expect(await send('PATCH', path, { title: 'never' })).toMatchObject([500, {}])
      expect(await send('PATCH', path, { title: 'b' })).toMatchObject([200, { title: 'b' }])
      expect(await send('GET', path)).toMatchObject([200, { title: 'b' }])
      expect(await send('DELETE', path)).toMatchObject([204, undefined])
    })
})
