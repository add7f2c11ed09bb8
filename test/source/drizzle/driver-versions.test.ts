import { readFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { drizzle as overSqlite } from 'drizzle-orm/better-sqlite3'
import { drizzle as overD1 } from 'drizzle-orm/d1'
import { drizzle as overMysql } from 'drizzle-orm/mysql2'
import { drizzle as overSqliteProxy } from 'drizzle-orm/sqlite-proxy'
import mysql from 'mysql2/promise'
import { describe, expect, it } from 'vitest'
import { StartError } from '../../../src/index.ts'
import {
  assertSupportedDriver,
  drivers,
  installedVersion,
  openDatabase,
} from '../../../src/source/drizzle/database.ts'
import { naming } from '../../naming.ts'

const manifest: {
  peerDependencies: Record<string, string>
  peerDependenciesMeta: Record<string, { optional?: boolean }>
} = JSON.parse(readFileSync('package.json', 'utf8'))

const sessionOf = (db: object): object => Reflect.get(db, 'session')

describe('the smallest version of a driver', () => {
  it('is an optional peer, and in the docs', () => {
    const docs = readFileSync('docs/databases.md', 'utf8')
    for (const { name, least } of drivers.values()) {
      const range = least.replace(/(\.0)+$/, '')
      expect([name, manifest.peerDependencies[name]]).toEqual([name, `>=${range}`])
      expect([name, manifest.peerDependenciesMeta[name]]).toEqual([name, { optional: true }])
      expect(docs).toMatch(new RegExp(`^\\| \`${name}\`[^|]*\\| ${range.replaceAll('.', '\\.')} \\|`, 'm'))
    }
  })

  it('is asked of the driver that is used', () => {
    const sqlite = overSqlite({ client: new Database(':memory:') })
    const pool = mysql.createPool('mysql://127.0.0.1:1/none')
    const asked: string[] = []
    const of = (version: string | undefined) => (name: string) => {
      asked.push(name)
      return version
    }
    for (const version of ['11.0.0', '11.0.1', '12.0.0-beta.1', '100.1.1', undefined])
      expect(assertSupportedDriver(sessionOf(sqlite), of(version))).toBeUndefined()
    for (const version of ['3.20.0', '3.20.1-rc.1', '3.24.6', '4.0.0'])
      expect(assertSupportedDriver(sessionOf(overMysql({ client: pool })), of(version))).toBeUndefined()
    expect(new Set(asked)).toEqual(new Set(['better-sqlite3', 'mysql2']))
    for (const version of ['3.14.0', '3.19.9', '2.99.99'])
      expect(() => assertSupportedDriver(sessionOf(overMysql({ client: pool })), of(version))).toThrow(
        StartError,
      )
    expect(() => assertSupportedDriver(sessionOf(sqlite), of('9.6.0'))).toThrow(
      naming('drizzleModels', 'better-sqlite3 9.6.0', '11.0.0', 'npm install better-sqlite3@latest'),
    )
    // No driver that package.json knows of.
    expect(
      assertSupportedDriver(sessionOf(overSqliteProxy(async () => ({ rows: [] }))), of('0.0.1')),
    ).toBeUndefined()
    pool.end()
  })

  it('does not matter for D1, which is refused', () => {
    const start = () => openDatabase(overD1({} as never))
    expect(start).toThrow(StartError)
    expect(start).toThrow(naming('drizzleModels', 'D1', 'transactions', 'docs/write-a-source.md'))
  })

  it('is compared with the version that is installed', () => {
    for (const { name } of drivers.values()) {
      const { version }: { version: string } = JSON.parse(
        readFileSync(`node_modules/${name}/package.json`, 'utf8'),
      )
      expect([name, installedVersion(name)]).toEqual([name, version])
    }
    expect(installedVersion('no-such-driver')).toBeUndefined()
    expect(assertSupportedDriver(sessionOf(overSqlite({ client: new Database(':memory:') })))).toBeUndefined()
  })
})
