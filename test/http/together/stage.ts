import type { FastifyRequest } from 'fastify'
import type { ComputedFields } from '../../../src/controller/computed.ts'
import type { Hooks, Permissions } from '../../../src/controller/controller.ts'
import { controllerFor, type ModelRestOptions } from '../../../src/index.ts'
import type { MysqlKind } from '../../servers/test-mysql.ts'
import { type Entry, type Host, onFastify, onFetch } from '../../stage/apps.ts'
import {
  type OpenOptions,
  openPglite,
  openSqlite,
  type Row,
  type TestDatabase,
} from '../../stage/databases.ts'
import { openMysql } from '../../stage/mysql.ts'
import { openPostgres } from '../../stage/postgres.ts'
import { type Send, senderTo } from '../../stage/requests.ts'
import { ddlOf, tables } from './tables.ts'

export type AnyHooks = Hooks<string, FastifyRequest> & {
  readonly permissions?: Permissions<string, FastifyRequest>
  readonly computed?: ComputedFields<string>
}

export type HooksByModel = Readonly<Record<string, AnyHooks>>

/** A running shop whose orders are written with their items, notes, labels and tags. */
export interface Shop {
  readonly send: Send
  readonly rows: TestDatabase['rows']
  readonly execute: TestDatabase['execute']
  /** The statements since the last time that this was called. */
  takeStatements(): readonly string[]
  readonly errors: readonly string[]
  /** The records of an order, without their keys, in order. */
  itemsOf(order: number): Promise<readonly Row[]>
  tagsOf(order: number): Promise<readonly unknown[]>
  stop(): Promise<void>
}

export interface ShopOptions extends Partial<ModelRestOptions> {
  readonly hooks?: HooksByModel
  readonly host?: Host
}

export const write = ['items', 'notes', 'labels', 'tags'] as const

type Open = (options: OpenOptions) => Promise<TestDatabase>

const starting =
  (open: Open) =>
  async ({ hooks = {}, host = onFastify, modelConfig, ...options }: ShopOptions = {}): Promise<Shop> => {
    let statements: string[] = []
    const database = await open({ onStatement: (text) => statements.push(text) })
    const errors: string[] = []
    const onEntry = ({ level, line, details }: Entry): void => {
      if (level === 'error') errors.push(`${line} ${JSON.stringify(details)}`)
    }
    const controllers = Object.entries(hooks).map(([name, own]) => controllerFor(name, own as never))
    const app = await host(
      {
        models: database.models,
        controllers,
        modelConfig: { Order: { write }, ...modelConfig },
        ...options,
      } as never,
      { base: '', onEntry },
    )
    const { rows, execute } = database
    return {
      ...{ send: senderTo(app), rows, execute, errors },
      takeStatements: () => {
        const taken = statements
        statements = []
        return taken
      },
      itemsOf: (order) =>
        rows(
          `select id, product_id, sku, price, quantity from order_items where order_id = ${order} order by id`,
        ),
      tagsOf: async (order) =>
        (await rows(`select tag_id, weight from order_tags where order_id = ${order} order by tag_id`)).map(
          ({ tag_id, weight }) => (weight === 5 ? tag_id : [tag_id, weight]),
        ),
      stop: async () => {
        await app.stop()
        await database.close()
      },
    }
  }

export type Start = ReturnType<typeof starting>

const lite: Start = starting(async (options) => openSqlite(tables.sqlite, ddlOf('sqlite'), options))

/** Databases in this process, and both hosts. */
export const shops: readonly (readonly [string, Start])[] = [
  ['better-sqlite3', lite],
  ['better-sqlite3 in one tick, on fetch', (options) => lite({ isAsync: false, host: onFetch, ...options })],
  ['PGlite', starting((options) => openPglite(tables.postgres, ddlOf('postgres'), options))],
]

const onMysql = (kind: MysqlKind): Start =>
  starting((options) => openMysql(kind, tables.mysql, ddlOf('mysql'), { ...options, connections: 6 }))

export const servers = {
  postgres: starting((options) =>
    openPostgres(tables.postgres, ddlOf('postgres'), { ...options, connections: 6 }),
  ),
  mariadb: onMysql('mariadb'),
  mysql: onMysql('mysql'),
}

/** What a test asserts of an error: status, code, and each issue with its pointer. */
export const refusalOf = ({ status, json }: Awaited<ReturnType<Send>>): readonly unknown[] => [
  status,
  json['code'],
  ...((json['errors'] ?? []) as readonly Row[]).map(({ pointer, code }) => `${pointer} ${code}`),
]
