import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { naming } from '../../naming.ts'
import { type Folder, folderWithPackage } from '../folders.ts'
import { modelrest } from './modelrest.ts'

let folder: Folder
beforeAll(() => {
  folder = folderWithPackage(inject('unpacked'))
})
afterAll(() => folder.remove())

const commands = ['init', 'generate-client', 'openapi', 'routes', 'check', 'files']

test.each(['--help', '-h'])('%s tells the commands', async (option) => {
  const { code, out, err } = await modelrest(folder.path, [option])
  expect(out).toMatch(/^Usage: modelrest \[options\] \[command\]\n/)
  for (const command of commands) expect(out).toMatch(new RegExp(`^ {2}${command}[| ]`, 'm'))
  expect([code, err]).toEqual([0, ''])
})

test.each(commands)('%s --help tells its options', async (command) => {
  const { code, out } = await modelrest(folder.path, [command, '--help'])
  expect(out).toMatch(new RegExp(`^Usage: modelrest ${command}`))
  expect(code).toBe(0)
})

test('--version tells the version of the package', async () => {
  const about: unknown = JSON.parse(readFileSync(join(inject('unpacked'), 'package.json'), 'utf8'))
  const { code, out } = await modelrest(folder.path, ['--version'])
  expect([code, out]).toEqual([0, `${Reflect.get(Object(about), 'version')}\n`])
})

test.each([
  [['opnapi'], ['opnapi', 'openapi']],
  [['--hlp'], ['--hlp', '--help']],
  [['openapi'], ['api.ts', 'app.ts', 'server.ts', 'src', '--api-module']],
  [
    ['routes', '--api-module', 'gone.ts'],
    ['--api-module', 'gone.ts'],
  ],
  [
    ['check', '--settings', 'gone.ts'],
    ['api.ts', 'app.ts', 'server.ts', 'src', '--api-module'],
  ],
  [
    ['openapi', '--check'],
    ['--check', '--output'],
  ],
])('modelrest %s: wrong use', async (words, names) => {
  const { code, out, err } = await modelrest(folder.path, words)
  expect([code, out]).toEqual([2, ''])
  const [wrong, more] = err.split('\n\n')
  expect(wrong).toMatch(naming(...names))
  expect(more).toMatch(naming('modelrest --help'))
})

test('without a command the help is told, as an error', async () => {
  const { code, out, err } = await modelrest(folder.path, [])
  expect([code, out]).toEqual([2, ''])
  expect(err).toMatch(/^Usage: modelrest /)
})

test('is a program of the package', () => {
  const manifest = JSON.parse(readFileSync(join(inject('unpacked'), 'package.json'), 'utf8')) as {
    bin: unknown
  }
  expect(manifest.bin).toMatchObject({ modelrest: 'dist/cli/main.js' })
  expect(readFileSync(join(inject('unpacked'), 'dist/cli/main.js'), 'utf8')).toMatch(
    /^#!\/usr\/bin\/env node\n/,
  )
})

test('colours are for terminals alone', async () => {
  const plain = await modelrest(folder.path, ['opnapi'])
  expect(plain.err).not.toContain('\u001b')
  const forced = await modelrest(folder.path, ['opnapi'], { FORCE_COLOR: '1' })
  expect(forced.err).toContain(`\u001b[31m${plain.err.split('\n')[0]}`)
})
