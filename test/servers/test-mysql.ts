import { randomBytes } from 'node:crypto'
import mysql from 'mysql2/promise'
import { inject } from 'vitest'
import { assertAsked, describeEach, needing } from '../needed-program.ts'
import { mariaDb, startMariaDb } from './mariadb.ts'
import { mySql, startMySql } from './mysql.ts'
import type { MysqlProtocolOptions, MysqlProtocolServer } from './mysql-protocol.ts'
import { urlFrom } from './on-demand.ts'

export type MysqlKind = 'mariadb' | 'mysql'

/** A database of its own on a server of this run. */
export interface TestMysql {
  readonly url: string
  /** Removes it. The end of the run does too. */
  drop(): Promise<void>
}

/** How texts are compared and ordered. By code point, spaces at the end count. */
export type MysqlCollation = 'by code point' | 'as the server does'

const kinds = {
  mariadb: {
    server: mariaDb,
    collations: { 'by code point': 'utf8mb4_nopad_bin', 'as the server does': 'utf8mb4_general_ci' },
  },
  mysql: {
    server: mySql,
    collations: { 'by code point': 'utf8mb4_0900_bin', 'as the server does': 'utf8mb4_0900_ai_ci' },
  },
} as const

/** Starts an empty server of a test's own. @throws where it is missing or does not start */
export const startMysqlServer = (
  kind: MysqlKind,
  options?: MysqlProtocolOptions,
): Promise<MysqlProtocolServer> => (kind === 'mariadb' ? startMariaDb : startMySql)(options)

/** As people write it: `MariaDB`. */
export const nameOf = (kind: MysqlKind): string => kinds[kind].server.noun

/** The server's name of a collation. */
export const collationOf = (kind: MysqlKind, collation: MysqlCollation): string =>
  kinds[kind].collations[collation]

/** Defines tests that need a MariaDB server. Without one they are skipped; in CI that is an error. */
export const onMariaDb = (tests: string, define: () => void): void => needing('mariadb', tests, define)

/** Defines tests for each server that speaks MySQL's protocol. Without one they are skipped; in CI that is an error. */
export const onEachMysql = (tests: string, define: (kind: MysqlKind) => void): void =>
  describeEach(
    (['mariadb', 'mysql'] as const).map((kind) => [kind, kind, kind]),
    `${tests} on %s`,
    define,
  )

/**
 * Creates an empty database.
 * @param name What it is for: lower-case letters and `_`. A random end keeps test files apart.
 * @param options On which server, that of this run or of a URL; the collation of its texts.
 * @throws if the test file has not asked for the server, as `onMariaDb` and `onEachMysql` do
 */
export const createMysqlDatabase = async (
  name: string,
  options: {
    readonly kind?: MysqlKind
    readonly collation?: MysqlCollation
    readonly server?: string | undefined
  } = {},
): Promise<TestMysql> => {
  const { kind = 'mariadb', collation = 'by code point', server = await serverOfRun(kind) } = options
  const unique = `${name}_${randomBytes(4).toString('hex')}`
  await execute(server, `create database ${unique} collate ${collationOf(kind, collation)}`)
  return { url: server + unique, drop: () => execute(server, `drop database if exists ${unique}`) }
}

const serverOfRun = async (kind: MysqlKind): Promise<string> => {
  assertAsked(kind)
  const address = inject(kind)
  if (address === undefined) throw new Error(`${nameOf(kind)} is missing.`)
  return await urlFrom(address)
}

const execute = async (url: string, statement: string): Promise<void> => {
  const connection = await mysql.createConnection(url)
  await connection.query(statement)
  await connection.end()
}
