import { readFileSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { DatabaseName } from '../../../src/cli/init/databases.ts'
import { naming } from '../../naming.ts'
import { emptyFolder, type Folder, program } from '../../package/folders.ts'
import { type Ended, shell } from '../../package/shell.ts'

let folder: Folder
afterEach(() => folder.remove())

const open = (database: DatabaseName, env: Readonly<Record<string, string>>): Promise<Ended> => {
  folder = emptyFolder({
    'package.json': '{ "type": "module" }',
    'src/env.ts': readFileSync('src/cli/templates/common/src/env.ts', 'utf8'),
    'src/db.ts': readFileSync(`src/cli/templates/${database}/src/db.ts`, 'utf8'),
    'file/text.db':
      'This is not a database, but is as long as the header of one is, and longer than that.'.repeat(9),
  })
  symlinkSync(resolve('node_modules'), join(folder.path, 'node_modules'))
  return shell(`${program('node')} src/db.ts`, folder.path, { SECRET_KEY: 'x'.repeat(32), ...env })
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
    const { code, output } = await open(database, { DATABASE_URL: url })
    const scheme = database === 'pg' ? 'postgres' : 'mysql'
    expect(code).toBe(1)
    expect(output).toMatch(naming('DATABASE_URL', `${scheme}://user:password@host`))
    expect(output).not.toContain('pass-word')
  })

  test.each([
    ['pg', 'postgresql://shop:pass%2Fword@[::1]:5432/shop?sslmode=require'],
    ['pg', 'postgres://shop:pass-word@/shop?host=/run/postgresql'],
    ['pg', 'postgres:///shop'],
    ['mysql', 'mysql://shop:pass%2Fword@localhost/shop'],
  ] as const)('%s: takes %s', async (database, url) => {
    expect(await open(database, { DATABASE_URL: url })).toMatchObject({ code: 0, output: '' })
  })

  test.each([
    ['pg', 'postgres://shop:pass-word@127.0.0.1:1/shop'],
    ['mysql', 'mysql://shop:pass-word@127.0.0.1:1/shop'],
  ] as const)('%s: says in one sentence why the server cannot be reached', async (database, url) => {
    await open(database, { DATABASE_URL: url })
    const migrate = `import('./src/db.ts').then(({ migrate }) => migrate()).catch(({ message, cause }) => console.error(message, cause))`
    const { output } = await shell(`${program('node')} -e "${migrate}"`, folder.path, {
      SECRET_KEY: 'x'.repeat(32),
      DATABASE_URL: url,
    })
    expect(output).toMatch(naming('127.0.0.1', 'ECONNREFUSED', 'DATABASE_URL. undefined'))
  })

  test.each(['file/text.db/app.db', 'file', 'file/text.db'])(
    'sqlite: names the path of a DATABASE that cannot be opened: %s',
    async (file) => {
      const { code, output } = await open('sqlite', { DATABASE: file })
      expect(code).toBe(1)
      expect(output).toMatch(naming('DATABASE', resolve(folder.path, file)))
    },
  )
})
