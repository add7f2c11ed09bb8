import { readFileSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { inspect } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import type { DatabaseName } from '../../../src/cli/init/databases.ts'
import { naming } from '../../naming.ts'
import { emptyFolder, type Folder } from '../../package/folders.ts'
import { type Started, start } from '../../package/in-process.ts'

let folder: Folder
afterEach(() => folder.remove())

const open = (database: DatabaseName, env: Readonly<Record<string, string>>): Promise<Started> => {
  folder = emptyFolder({
    'package.json': '{ "type": "module" }',
    'src/env.ts': readFileSync('src/cli/templates/common/src/env.ts', 'utf8'),
    'src/db.ts': readFileSync(`src/cli/templates/${database}/src/db.ts`, 'utf8'),
    'file/text.db':
      'This is not a database, but is as long as the header of one is, and longer than that.'.repeat(9),
  })
  symlinkSync(resolve('node_modules'), join(folder.path, 'node_modules'))
  return start(folder.path, 'src/db.ts', { SECRET_KEY: 'x'.repeat(32), ...env })
}

/** What Node writes when the file throws. */
const refusal = async (...given: Parameters<typeof open>): Promise<string> => {
  const [outcome] = await Promise.allSettled([open(...given)])
  if (outcome.status === 'fulfilled') throw new Error('It opens the database.')
  return inspect(outcome.reason)
}

describe('db.ts of a new project', () => {
  test.each([
    ['pg', 'shop:pass-word@localhost:5432/shop'],
    ['pg', 'localhost:5432/shop'],
    ['pg', 'mysql://shop:pass-word@localhost/shop'],
    ['pg', 'postgres://shop:pass-word#1@localhost/shop'],
    ['mysql', 'shop:pass-word@localhost:3306/shop'],
    ['mysql', 'mysql://shop:pass-word/1@localhost/shop'],
    ['mysql', 'mysql:///shop'],
  ] as const)('%s: refuses the DATABASE_URL %s by its form, without its password', async (database, url) => {
    const output = await refusal(database, { DATABASE_URL: url })
    const scheme = database === 'pg' ? 'postgres' : 'mysql'
    expect(output).toMatch(naming('DATABASE_URL', `${scheme}://user:password@host`))
    expect(output).not.toContain('pass-word')
  })

  test.each([
    ['pg', 'postgresql://shop:pass%2Fword@[::1]:5432/shop?sslmode=require'],
    ['pg', 'postgres://shop:pass-word@/shop?host=/run/postgresql'],
    ['pg', 'postgres:///shop'],
    ['mysql', 'mysql://shop:pass%2Fword@localhost/shop'],
  ] as const)('%s: takes %s', async (database, url) => {
    const { exports, out, err } = await open(database, { DATABASE_URL: url })
    await exports['close']()
    expect([out, err]).toEqual(['', ''])
  })

  test.each([
    ['pg', 'postgres://shop:pass-word@127.0.0.1:1/shop'],
    ['mysql', 'mysql://shop:pass-word@127.0.0.1:1/shop'],
  ] as const)('%s: says in one sentence why the server cannot be reached', async (database, url) => {
    const { exports } = await open(database, { DATABASE_URL: url })
    const failed = exports['migrate']()
    await expect(failed).rejects.toMatchObject({
      message: expect.stringMatching(naming('127.0.0.1', 'ECONNREFUSED', 'DATABASE_URL')),
    })
    await expect(failed).rejects.not.toHaveProperty('cause')
    await exports['close']()
  })

  test.each(['file/text.db/app.db', 'file', 'file/text.db'])(
    'sqlite: names the path of a DATABASE that cannot be opened: %s',
    async (file) => {
      expect(await refusal('sqlite', { DATABASE: file })).toMatch(
        naming('DATABASE', resolve(folder.path, file)),
      )
    },
  )
})
