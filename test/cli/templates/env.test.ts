import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { emptyFolder, type Folder, program, writeAll } from '../../package/folders.ts'
import { type Ended, shell } from '../../package/shell.ts'

const warning =
  'There is neither .env nor SECRET_KEY. Run cp .env.example .env, and fill in SECRET_KEY there.\n'

let folder: Folder
beforeEach(() => {
  folder = emptyFolder({ 'package.json': '{ "type": "module" }' })
  for (const [file, template] of [
    ['env.ts', 'env.ts'],
    ['.env.example', '_env.example'],
  ] as const)
    writeAll(folder.path, { [file]: readFileSync(`src/cli/templates/${template}`, 'utf8') })
})
afterEach(() => folder.remove())

const load = (env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  shell(`${program('node')} env.ts`, folder.path, { SECRET_KEY: '', ...env })

describe('env.ts of a new project', () => {
  test('names the command that makes .env where a clone has none, and goes on', async () => {
    expect(await load()).toMatchObject({ code: 0, output: warning })
  })

  test('is content once that command has run', async () => {
    const [command = ''] = /cp \S+ \.env(?=,)/.exec(warning) ?? []
    expect(await shell(command, folder.path)).toMatchObject({ code: 0, output: '' })
    expect(await load()).toMatchObject({ code: 0, output: '' })
  })

  test.each([{ SECRET_KEY: 'x'.repeat(32) }, { NODE_ENV: 'production' }])(
    'says nothing where the environment is complete without it: %j',
    async (env) => {
      expect(await load(env)).toMatchObject({ code: 0, output: '' })
    },
  )
})
