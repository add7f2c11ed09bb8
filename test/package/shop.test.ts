import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Folder, folderWithPackage, program, writeAll } from './folders.ts'
import { shell } from './shell.ts'
import { strictConfig } from './strict-config.ts'

let folder: Folder

beforeAll(() => {
  folder = folderWithPackage(inject('unpacked'), {
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        ...strictConfig,
        skipLibCheck: true,
        types: ['node'],
        allowImportingTsExtensions: true,
      },
      include: ['shop'],
    }),
  })
  cpSync('examples/shop', join(folder.path, 'shop'), {
    recursive: true,
    filter: (path) => !/\.db(-\w+)?$|migrations|media$/.test(path),
  })
})

afterAll(() => folder?.remove())

test('the shop compiles, and its hooks know the models that it registers', async () => {
  const wrong = `import { controllerFor } from 'modelrest/fastify'
export const one = controllerFor('Ordr', {})
export const two = controllerFor('Order', { afterUpdate: (_request, { statuss }) => void statuss })
`
  writeAll(folder.path, { 'shop/wrong.ts': wrong })
  const { output } = await shell(`${program('tsc')} --pretty false -p .`, folder.path)
  const found = output.split('\n').filter((line) => /error TS/.test(line))
  // All other files compile.
  expect(found.map((line) => line.slice(0, line.indexOf(',')))).toEqual([
    'shop/wrong.ts(2',
    'shop/wrong.ts(3',
  ])
})
