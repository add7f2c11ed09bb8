import type { ModelRestOptions } from '../../../src/index.ts'
import type { Tables } from '../../../src/source/drizzle/index.ts'
import type { MysqlKind } from '../../servers/test-mysql.ts'
import { onFetch } from '../../stage/apps.ts'
import {
  type OpenOptions,
  openPglite,
  openSqlite,
  type Row,
  type TestDatabase,
} from '../../stage/databases.ts'
import { openMysql } from '../../stage/mysql.ts'
import { type Answer, senderTo } from '../../stage/requests.ts'

/** A service with the tables of a test, on a database of its own. */
export interface Serving {
  readonly notes: readonly string[]
  send(method: string, path: string, body?: unknown): Promise<Answer>
  /** Statements with their parameters, as drizzle gave them to its driver. */
  readonly statements: readonly { readonly text: string; readonly values: readonly unknown[] }[]
  query(statement: string): Promise<readonly Row[]>
  stop(): Promise<void>
}

export interface Given {
  readonly create: string
  readonly tables: Tables
  readonly columns?: object
  readonly options?: Partial<ModelRestOptions>
}

type Serve = (given: Given) => Promise<Serving>
type Open = (tables: Tables, ddl: string, options: OpenOptions) => Promise<TestDatabase> | TestDatabase

const serving =
  (open: Open): Serve =>
  async ({ create, tables, columns = {}, options }) => {
    const statements: Serving['statements'][number][] = []
    const { models, rows, close } = await open(tables, create, {
      columns,
      onStatement: (text, values) => statements.push({ text, values }),
    })
    const app = await onFetch({ models, ...options }, { base: '' })
    const send = senderTo(app)
    return {
      ...{ statements, notes: models.notes ?? [], query: rows },
      send: (method, path, body) => send(method, path, { body }),
      stop: async () => {
        await app.stop()
        await close()
      },
    }
  }

export const onSqlite = serving(openSqlite)

export const onPglite = serving(openPglite)

export const onMysqlKind = (kind: MysqlKind): Serve =>
  serving((tables, ddl, options) => openMysql(kind, tables, ddl, options))
