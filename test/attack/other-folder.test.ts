import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const source = resolve('src')

const files: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "shop", "type": "module" }',
  'controllers/order.ts': `
    import { controllerFor } from ${JSON.stringify(join(source, 'entry/fetch.ts'))}
    export const OrderController = controllerFor('Order', { scope: () => ({ tenant: 'a' }) })
  `,
  'src/server.ts': `
    import Database from 'better-sqlite3'
    import { drizzle } from 'drizzle-orm/better-sqlite3'
    import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
    import { drizzleModels } from ${JSON.stringify(join(source, 'entry/drizzle.ts'))}
    import { fetchApp, ModelRest } from ${JSON.stringify(join(source, 'entry/fetch.ts'))}

    const orders = sqliteTable('orders', { id: integer().primaryKey(), tenant: text().notNull() })
    const database = new Database(':memory:')
    database.exec("create table orders (id integer primary key, tenant text not null); insert into orders (tenant) values ('a'), ('b')")
    const app = fetchApp()
    try {
      await new ModelRest(app, { models: drizzleModels(drizzle(database), { orders }) }).init()
      const page = await (await app.fetch(new Request('http://localhost/orders/'))).json()
      console.log(JSON.stringify(page.items.map(({ tenant }) => tenant)))
    } catch (error) {
      console.log(error.name)
    }
  `,
  'node_modules/manager/run.js': `
    import { pathToFileURL } from 'node:url'
    await import(pathToFileURL(process.argv[2]))
  `,
}

let project = ''

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'modelrest-other-folder-'))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(project, name)), { recursive: true })
    writeFileSync(join(project, name), content)
  }
  for (const name of ['drizzle-orm', 'better-sqlite3']) {
    symlinkSync(resolve('node_modules', name), join(project, 'node_modules', name))
  }
})

afterAll(() => rmSync(project, { recursive: true }))

/** The last line of what the application prints. */
const started = (cwd: string, ...args: readonly string[]): Promise<string | undefined> =>
  new Promise((done, fail) => {
    execFile(process.execPath, [...args], { cwd }, (error, stdout) =>
      error === null ? done(stdout.trim().split('\n').at(-1)) : fail(error),
    )
  })

test('an application that is started from its own folder has its scope', async () => {
  expect(await started(project, 'src/server.ts')).toBe('["a"]')
})

test.each(['/', 'src', 'controllers'])('one that is started from %s never serves without it', async (cwd) => {
  expect(await started(resolve(project, cwd), join(project, 'src/server.ts'))).toBe('StartError')
})

test('one that a process manager starts never serves without it', async () => {
  const manager = join(project, 'node_modules/manager/run.js')
  expect(await started('/', manager, join(project, 'src/server.ts'))).toBe('StartError')
  expect(await started(project, manager, join(project, 'src/server.ts'))).toBe('["a"]')
})
