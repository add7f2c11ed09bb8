import { mkdirSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { apiTitled, modelrest, workFolder } from '../client-runs.ts'

const titleIn = (out: string): unknown => JSON.parse(out).info.title

test('what an application says to a parent of its own is no answer', async () => {
  const folder = workFolder({ 'api.mjs': `process.send?.('ready')\n${apiTitled('String(process.send)')}` })
  const { code, out, err } = await modelrest(folder, ['openapi'])
  expect([code, err]).toEqual([0, ''])
  expect(titleIn(out)).toBe('undefined')
})

test('what is loaded before the application may talk to its parent', async () => {
  const folder = workFolder({
    'talks.mjs': `process.send?.('ready')\nprocess.send?.({ kind: 'answer', answer: {} })`,
    'api.mjs': apiTitled(`'Shop'`),
  })
  const { code, out, err } = await modelrest(folder, ['openapi'], { NODE_OPTIONS: '--import ./talks.mjs' })
  expect([code, err]).toEqual([0, ''])
  expect(titleIn(out)).toBe('Shop')
})

test('it runs in a script that node --watch starts', async () => {
  const folder = workFolder({ 'api.mjs': apiTitled(`process.env['WATCH_REPORT_DEPENDENCIES'] ?? 'none'`) })
  const { code, out, err } = await modelrest(folder, ['openapi'], { WATCH_REPORT_DEPENDENCIES: '1' })
  expect([code, err]).toEqual([0, ''])
  expect(titleIn(out)).toBe('none')
})

/** A repository of several packages, of which one has tsx. */
const packagesWithTsx = (): string => {
  const folder = workFolder({
    'packages/api/tsconfig.json': '{ "compilerOptions": { "paths": { "@lib/*": ["./src/lib/*"] } } }',
    'packages/api/package.json': '{ "type": "module" }',
    'packages/api/src/lib/title.ts': `export enum Title { shop = 'Shop' }`,
    'packages/api/src/api.ts': `import { Title } from '@lib/title'\n${apiTitled('Title.shop')}`,
    'other.json': '{ "compilerOptions": { "paths": { "@lib/*": ["./other/*"] } } }',
    'other/title.ts': `export enum Title { shop = 'Other' }`,
  })
  mkdirSync(join(folder, 'packages/api/node_modules'))
  symlinkSync(resolve('node_modules/tsx'), join(folder, 'packages/api/node_modules/tsx'))
  return folder
}

const ofTheApi = ['openapi', '--api-module', 'packages/api/src/api.ts']

test('tsx and the paths are those of the package that has the API, wherever the command runs', async () => {
  const { code, out, err } = await modelrest(packagesWithTsx(), ofTheApi)
  expect([code, err]).toEqual([0, ''])
  expect(titleIn(out)).toBe('Shop')
})

test('TSX_TSCONFIG_PATH goes before the tsconfig.json of the package', async () => {
  const { code, out, err } = await modelrest(packagesWithTsx(), ofTheApi, { TSX_TSCONFIG_PATH: 'other.json' })
  expect([code, err]).toEqual([0, ''])
  expect(titleIn(out)).toBe('Other')
})

test('tsx of the working folder is taken where the package has none', async () => {
  const folder = workFolder({ 'api/api.ts': `enum Title { shop = 'Shop' }\n${apiTitled('Title.shop')}` })
  mkdirSync(join(folder, 'here/node_modules'), { recursive: true })
  symlinkSync(resolve('node_modules/tsx'), join(folder, 'here/node_modules/tsx'))
  const { code, out, err } = await modelrest(join(folder, 'here'), [
    'openapi',
    '--api-module',
    '../api/api.ts',
  ])
  expect([code, err]).toEqual([0, ''])
  expect(titleIn(out)).toBe('Shop')
})
