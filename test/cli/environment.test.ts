import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { naming } from '../naming.ts'
import { shell } from '../package/shell.ts'
import { modelrest, program, workFolder } from './client-runs.ts'

const source = (file: string): string => JSON.stringify(resolve('src', file))

const files = {
  '.env': `SECRET_KEY=${'k'.repeat(64)}\n`,
  'api.mjs': `import Database from ${JSON.stringify(resolve('node_modules/better-sqlite3/lib/index.js'))}
import { drizzle } from ${JSON.stringify(resolve('node_modules/drizzle-orm/better-sqlite3/index.js'))}
import { drizzleModels } from ${source('entry/drizzle.ts')}
import { usersTable as users } from ${source('entry/drizzle-sqlite.ts')}
import { defineSettings, fetchApp, ModelRest } from ${source('entry/fetch.ts')}

const models = drizzleModels(drizzle({ client: new Database(':memory:') }), { users })
const settings = defineSettings({ SECRET_KEY: process.env['SECRET_KEY'] })
export const api = new ModelRest(fetchApp(), { models, auth: true, settings })
`,
}

test('a variable that only the server has is missing for a command, and its message says where to set it', async () => {
  const folder = workFolder(files)
  const { code, err } = await modelrest(folder, ['openapi'], { SECRET_KEY: '' })
  expect(code).toBe(1)
  expect(err).toMatch(naming('SECRET_KEY', 'process.env.SECRET_KEY', 'JWT_SECRET', '--env-file=.env'))
  const [node, main] = program
  const line = `'${node}' --env-file=.env '${main}' openapi`
  expect(await shell(line, folder)).toMatchObject({ code: 0, out: expect.stringContaining('"openapi"') })
})
