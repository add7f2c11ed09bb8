import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { shell } from '../package/shell.ts'
import { generateClient, program, programs, workFolder } from './client-runs.ts'

const types = ['typescript-types', '--schema', 'openapi.json']

test('a machine without a folder for what is temporary', async () => {
  const { code, err } = await generateClient(workFolder(), types, { TMPDIR: '/nonexistent' })
  expect(err).toMatch(
    /^There is no place for what the generator needs on its way: no such file or directory: \/nonexistent\/[^ ]*\. TMPDIR names the folder for it\.\n$/,
  )
  expect(code).toBe(1)
})

test.each([
  ['python', 'openapi-generator-cli'],
  ['typescript-types', 'npx'],
])('a program whose interpreter is gone: %s', async (language, name) => {
  const PATH = programs({ [name]: '' })
  const path = join(PATH, name)
  writeFileSync(path, '#!/nonexistent/node\n')
  const { code, err } = await generateClient(workFolder(), [language, '--schema', 'openapi.json'], { PATH })
  expect(err).toMatch(/ …\nThe program [^\n]*\n$/)
  expect(err).toContain(
    `The program ${path} does not start: what it runs with, as its first line says, is not there.\n`,
  )
  expect(code).toBe(1)
})

test('a program that may not be started', async () => {
  const PATH = programs({ npx: '' })
  writeFileSync(join(PATH, 'npx'), '#!/tmp\n')
  const { code, err } = await generateClient(workFolder(), types, { PATH })
  expect(err).toContain(`\nThe program ${join(PATH, 'npx')} does not start: permission denied.\n`)
  expect(code).toBe(1)
})

/** Runs a command in a folder that is removed. */
const inNoFolder = (words: string) =>
  shell(`mkdir gone && cd gone && rmdir ../gone && '${program[0]}' '${program[1]}' ${words}`, workFolder())

test('a working folder that was removed', async () => {
  for (const words of ['openapi', 'init shop', 'generate-client python'])
    expect(await inNoFolder(words)).toEqual({
      ...{ code: 1, out: '', output: 'The working folder is not there any more. Change to one that is.\n' },
    })
  expect(await inNoFolder('--version')).toMatchObject({ code: 0 })
})
