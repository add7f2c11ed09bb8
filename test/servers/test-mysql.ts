import { randomBytes } from 'node:crypto'
import mysql from 'mysql2/promise'
import { describe, inject, it } from 'vitest'
import { inTurn } from '../matrix.ts'
import { mariaDb, startMariaDb } from './mariadb.ts'
import { isLeftOut, mySql, startMySql } from './mysql.ts'
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

/** Says whether this run has such a server. Where it has none, the test cannot run: that is said loudly, and an error in CI. */
const hasServer = (kind: MysqlKind, tests: string): boolean => {
  if (inject(kind) !== undefined) return true
  const { noun, install } = kinds[kind].server
  const line = `NOT RUN: ${tests}, because ${noun} is missing. ${install}`
  const isExpected = kind === 'mysql' && isLeftOut()
  if (process.env['CI'] !== undefined && !isExpected) throw new Error(line)
  process.stderr.write(`\n${line}\n\n`)
  return false
}

const onServer = (kind: MysqlKind, tests: string, define: () => void): void => {
  if (hasServer(kind, tests)) define()
  else it(`NOT RUN: ${tests}`, ({ skip }) => skip(`${nameOf(kind)} is missing.`))
}

/** Defines tests that need a MariaDB server. Without one there is a single test, which says that they did not run. */
export const onMariaDb = (tests: string, define: () => void): void => onServer('mariadb', tests, define)

const onServers = (chosen: readonly MysqlKind[], tests: string, define: (kind: MysqlKind) => void): void =>
  describe.each(chosen)(`${tests} on %s`, (kind) =>
    onServer(kind, `${tests} on ${nameOf(kind)}`, () => define(kind)),
  )

const everyKind: readonly MysqlKind[] = ['mariadb', 'mysql']

/** Defines tests for each server that speaks MySQL's protocol. Without one there is a test that says so. */
export const onEachMysql = (tests: string, define: (kind: MysqlKind) => void): void =>
  onServers(everyKind, tests, define)

/** The same, for the servers in turn: tests of what is the same statement on both. */
export const onMysqlInTurn = (tests: string, define: (kind: MysqlKind) => void): void =>
  onServers(inTurn(everyKind, 2), tests, define)

/**
 * Creates an empty database.
 * @param name What it is for: lower-case letters and `_`. A random end keeps test files apart.
 * @param options On which server, that of this run or of a URL; the collation of its texts.
 * @throws where the run has no server: define such tests by `onMariaDb` or `onEachMysql`.
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
  const address = inject(kind)
  if (address === undefined) throw new Error(`${nameOf(kind)} is missing.`)
  return await urlFrom(address)
}

const execute = async (url: string, statement: string): Promise<void> => {
  const connection = await mysql.createConnection(url)
  await connection.query(statement)
  await connection.end()
}
