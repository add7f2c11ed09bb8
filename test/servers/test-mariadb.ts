import { randomBytes } from 'node:crypto'
import mysql from 'mysql2/promise'
import { inject, it } from 'vitest'
import { urlFrom } from './on-demand.ts'

/** A database of its own on the MariaDB server of this run. */
export interface TestMariaDb {
  readonly url: string
  /** Removes it. The end of the run does too. */
  drop(): Promise<void>
}

/** `nopad_bin` compares and orders texts by code point, spaces at the end included; `general_ci` is the server's own. */
export type MariaDbCollation = 'utf8mb4_nopad_bin' | 'utf8mb4_general_ci'

/**
 * Says whether this run has a MariaDB server. Where it has none, the test cannot run: that is said loudly, and an error in
 * CI.
 */
export const hasMariaDb = (tests: string): boolean => {
  if (inject('mariadb') !== undefined) return true
  const line = `NOT RUN: ${tests}, because MariaDB is missing. Install it: apt-get install --yes mariadb-server`
  if (process.env['CI'] !== undefined) throw new Error(line)
  process.stderr.write(`\n${line}\n\n`)
  return false
}

/** Defines tests that need a MariaDB server. Without one the file holds a single test, which says that it did not run. */
export const onMariaDb = (tests: string, define: () => void): void => {
  if (hasMariaDb(tests)) define()
  else it(`NOT RUN: ${tests}`, ({ skip }) => skip('MariaDB is missing.'))
}

/**
 * Creates an empty database on the MariaDB server of this run.
 * @param name What it is for: lower-case letters and `_`. A random end keeps test files apart.
 * @param options The collation of its texts; the URL of another server than that of this run.
 * @throws where the run has no server: ask `hasMariaDb` first.
 */
export const createMariaDb = async (
  name: string,
  options: { readonly collation?: MariaDbCollation; readonly server?: string | undefined } = {},
): Promise<TestMariaDb> => {
  const { collation = 'utf8mb4_nopad_bin', server = await serverOfRun() } = options
  const unique = `${name}_${randomBytes(4).toString('hex')}`
  await execute(server, `create database ${unique} collate ${collation}`)
  return { url: server + unique, drop: () => execute(server, `drop database if exists ${unique}`) }
}

const serverOfRun = async (): Promise<string> => {
  const address = inject('mariadb')
  if (address === undefined) throw new Error('MariaDB is missing.')
  return await urlFrom(address)
}

const execute = async (url: string, statement: string): Promise<void> => {
  const connection = await mysql.createConnection(url)
  await connection.query(statement)
  await connection.end()
}
