import type { EntityManager as MikroManager } from '@mikro-orm/core'
import type { EntityManager } from 'typeorm'
import type { ModelSource, RecordStore } from '../../src/entry/source.ts'
import { onEachDatabase as onEachMikroOrm } from './mikro-orm/databases.ts'
import { Order as MikroOrder, Tag as MikroTag, openShop as openMikroOrm } from './mikro-orm/shop.ts'
import { onEachDatabase as onEachSequelize } from './sequelize/databases.ts'
import { openShop as openSequelize, transactionOf } from './sequelize/shop.ts'
import { onEachDatabase as onEachTypeorm } from './typeorm/databases.ts'
import { openShop as openTypeorm, Order as TypeormOrder } from './typeorm/shop.ts'

/** An order, as an ORM gives it to those who listen. */
interface Noted {
  note: string | null
}

/** What listens to orders. */
export interface Listeners {
  create?(order: Noted): void
  update?(order: Noted, before: unknown): void
  /** After the statement. */
  updated?(): void
  remove?(order: Noted): void
  load?(order: Noted): void
}

/** Customers, orders that are deleted softly, and tags. */
export interface OpenedShop {
  readonly source: ModelSource
  store(model: string): RecordStore
  /** Creates a tag with the ORM itself. @param db the handle of a transaction */
  createTag(name: string, db: unknown): Promise<unknown>
}

type OpenShop = (listeners?: Listeners) => Promise<OpenedShop>

interface OrmShops {
  onEachDatabase(tests: string, define: (open: OpenShop) => void): void
  /** The version of a new order. */
  readonly version: number
}

/** Only what is listened to, because ORMs do more for those who listen. */
const heard = <Act>(given: Readonly<Record<string, readonly [unknown, Act]>>): Record<string, Act> =>
  Object.fromEntries(
    Object.entries(given).flatMap(([event, [listener, act]]) =>
      listener === undefined ? [] : [[event, act]],
    ),
  )

const none: Listeners = {}

/** The shop of each ORM that gives records to listeners. */
export const ormShops: Readonly<Record<string, OrmShops>> = {
  TypeORM: {
    version: 1,
    onEachDatabase: (tests, define) =>
      onEachTypeorm(tests, (options) =>
        define(async ({ create, update, updated, remove, load }: Listeners = none) => {
          const { dataSource, source, store } = await openTypeorm(await options())
          type Event = { readonly entity: Noted; readonly databaseEntity?: Noted }
          const subscriber = heard<(event: never) => void>({
            beforeInsert: [create, ({ entity }: Event) => create?.(entity)],
            beforeUpdate: [
              update,
              ({ entity, databaseEntity }: Event) => update?.(entity, databaseEntity?.note),
            ],
            afterUpdate: [updated, () => updated?.()],
            beforeSoftRemove: [remove, ({ entity }: Event) => remove?.(entity)],
            afterLoad: [load, (entity: Noted) => load?.(entity)],
          })
          if (Object.keys(subscriber).length > 0)
            dataSource.subscribers.push({ listenTo: () => TypeormOrder, ...subscriber })
          return {
            ...{ source, store },
            createTag: (name, db) => (db as EntityManager).insert('Tag', { name }),
          }
        }),
      ),
  },
  MikroORM: {
    version: 1,
    onEachDatabase: (tests, define) =>
      onEachMikroOrm(tests, (openOrm) =>
        define(async ({ create, update, updated, remove, load }: Listeners = none) => {
          type Event = { readonly entity: Noted; readonly changeSet?: { readonly originalEntity?: Noted } }
          const subscriber = heard<(event: never) => Promise<void>>({
            beforeCreate: [create, async ({ entity }: Event) => create?.(entity)],
            beforeUpdate: [
              update,
              async ({ entity, changeSet }: Event) => update?.(entity, changeSet?.originalEntity?.note),
            ],
            afterUpdate: [updated, async () => updated?.()],
            beforeDelete: [remove, async ({ entity }: Event) => remove?.(entity)],
            onLoad: [load, async ({ entity }: Event) => load?.(entity)],
          })
          const isHeard = Object.keys(subscriber).length > 0
          const subscribers = isHeard ? [{ getSubscribedEntities: () => [MikroOrder], ...subscriber }] : []
          const { source, store } = await openMikroOrm(openOrm, subscribers as never)
          return {
            ...{ source, store },
            createTag: (name, db) => (db as MikroManager).insert(MikroTag, { name } as never),
          }
        }),
      ),
  },
  Sequelize: {
    version: 0,
    onEachDatabase: (tests, define) =>
      onEachSequelize(tests, (open) =>
        define(async ({ create, update, updated, remove, load }: Listeners = none) => {
          const { source, store, Order, Tag } = await openSequelize(open)
          type Instance = Noted & { previous(name: string): unknown }
          const hooks = heard<(order: never) => void>({
            beforeCreate: [create, (order: Instance) => create?.(order)],
            beforeUpdate: [update, (order: Instance) => update?.(order, order.previous('note'))],
            afterUpdate: [updated, () => updated?.()],
            beforeDestroy: [remove, (order: Instance) => remove?.(order)],
            afterFind: [
              load,
              (found: Instance | readonly Instance[] | null) => {
                for (const order of [found].flat()) if (order !== null) load?.(order)
              },
            ],
          })
          for (const [event, hook] of Object.entries(hooks))
            Order.addHook(event as 'beforeCreate', hook as never)
          return {
            ...{ source, store },
            createTag: (name, db) => Tag.create({ name }, { transaction: transactionOf(db) }),
          }
        }),
      ),
  },
}
