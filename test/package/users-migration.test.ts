import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import Database from 'better-sqlite3'
import { describe, expect, inject, test } from 'vitest'
import { folderWithPackage, program } from './folders.ts'
import { succeed } from './shell.ts'

const kit = resolve('node_modules/drizzle-kit/bin.cjs')

/** The statements that drizzle-kit makes of the table, imported as the documentation says. */
const migrationFor = async (entry: string, dialect: string): Promise<readonly string[]> => {
  const folder = folderWithPackage(inject('unpacked'), {
    'models.ts': `export { apiKeysTable as apiKeys, usersTable as users } from 'modelrest/drizzle/${entry}'\n`,
  })
  try {
    const generate = `generate --dialect=${dialect} --schema=./models.ts --out=./migrations`
    const output = await succeed(`${program('node')} ${kit} ${generate}`, folder.path)
    expect(output).toContain('users 7 columns')
    expect(output).toContain('api_keys 9 columns')
    expect(await succeed(`${program('node')} ${kit} ${generate}`, folder.path)).toContain('No schema changes')
    const [file, ...more] = readdirSync(join(folder.path, 'migrations')).filter((name) =>
      name.endsWith('.sql'),
    )
    expect(more).toEqual([])
    const text = readFileSync(join(folder.path, 'migrations', file ?? ''), 'utf8')
    return text.split('--> statement-breakpoint').map((statement) => statement.trim())
  } finally {
    folder.remove()
  }
}

const insert = `insert into users (email, password) values ('ada@example.com', 'a hash')`

describe('drizzle-kit makes the tables of users and of their API keys', () => {
  test('on SQLite', async () => {
    const statements = await migrationFor('sqlite', 'sqlite')
    expect(statements.join('\n')).toContain('`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL')
    const database = new Database(':memory:')
    for (const statement of statements) database.exec(statement)
    database.exec(insert)
    expect(database.prepare('select * from users').get()).toEqual({
      ...{ id: 1, email: 'ada@example.com', username: null, name: null, password: 'a hash', is_active: 1 },
      created_at: expect.any(Number),
    })
    expect(() => database.exec(insert)).toThrow('UNIQUE constraint failed: users.email')
    expect(() => database.exec('insert into users (email) values (1)')).toThrow(
      'NOT NULL constraint failed: users.password',
    )
    database.close()
  })

  test('on PostgreSQL', async () => {
    const statements = await migrationFor('pg', 'postgresql')
    const database = new PGlite()
    for (const statement of statements) await database.exec(statement)
    await database.exec(insert)
    const { rows } = await database.query('select * from users')
    expect(rows).toEqual([
      {
        ...{
          id: 1,
          email: 'ada@example.com',
          username: null,
          name: null,
          password: 'a hash',
          is_active: true,
        },
        created_at: expect.any(Date),
      },
    ])
    await expect(database.exec(insert)).rejects.toThrow('users_email_unique')
    const key = "insert into api_keys (user_id, name, hash, access) values ('1', 'a', 'b', 'read')"
    await database.exec(key)
    await expect(database.exec(key)).rejects.toThrow('api_keys_hash_unique')
    await database.close()
  })

  test('on MySQL', async () => {
    const text = (await migrationFor('mysql', 'mysql')).join('\n')
    for (const line of [
      '`id` int AUTO_INCREMENT NOT NULL',
      '`email` varchar(320) NOT NULL',
      '`password` varchar(255) NOT NULL',
      '`is_active` boolean NOT NULL DEFAULT true',
      'UNIQUE(`email`)',
      'UNIQUE(`username`)',
      'UNIQUE(`hash`)',
      '`user_id` varchar(255) NOT NULL',
      '`expires_at` datetime',
    ])
      expect(text).toContain(line)
  })
})
