import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { naming } from '../../naming.ts'
import { emptyFolder, type Folder, program, writeAll } from '../../package/folders.ts'
import { type Ended, shell } from '../../package/shell.ts'

const command = 'cp .env.example .env'

let folder: Folder
beforeEach(() => {
  folder = emptyFolder({ 'package.json': '{ "type": "module" }' })
  for (const [file, template] of [
    ['src/env.ts', 'src/env.ts'],
    ['.env.example', '_env.example'],
  ] as const)
    writeAll(folder.path, { [file]: readFileSync(`src/cli/templates/common/${template}`, 'utf8') })
})
afterEach(() => folder.remove())

const load = (env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  shell(`${program('node')} src/env.ts`, folder.path, { SECRET_KEY: '', ...env })

describe('env.ts of a new project', () => {
  test('names the command that makes .env where a clone has none, and goes on', async () => {
    expect(await load()).toMatchObject({
      code: 0,
      output: expect.stringMatching(naming(command, 'SECRET_KEY')),
    })
  })

  test('is content once that command has run', async () => {
    expect(await shell(command, folder.path)).toMatchObject({ code: 0, output: '' })
    expect(await load()).toMatchObject({ code: 0, output: '' })
  })

  test('refuses a PORT that is none, by its name and limits', async () => {
    const { code, output } = await load({ PORT: 'many', SECRET_KEY: 'x'.repeat(32) })
    expect(code).toBe(1)
    expect(output).toMatch(naming('PORT', 0, 65_535, '"many"'))
  })

  test.each([{ SECRET_KEY: 'x'.repeat(32) }, { NODE_ENV: 'production' }])(
    'says nothing where the environment is complete without it: %j',
    async (env) => {
      expect(await load(env)).toMatchObject({ code: 0, output: '' })
    },
  )
})
