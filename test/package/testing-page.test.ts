import { readFileSync } from 'node:fs'
import { expect, inject, test } from 'vitest'
import { fencedBlocks } from '../readme/fenced-blocks.ts'
import { folderWithPackage, program } from './folders.ts'
import { shell, succeed } from './shell.ts'

test('docs/testing.md has tests that pass, and fail if the application is wrong', async () => {
  const files = Object.fromEntries(
    fencedBlocks(readFileSync('docs/testing.md', 'utf8')).flatMap(({ file, text }) =>
      file === undefined ? [] : [[file, text]],
    ),
  )
  const folder = folderWithPackage(inject('unpacked'), files)
  try {
    const command = `${program('node')} --test --test-reporter=tap`
    // It waits for values that expire.
    const contract = succeed(`${command} contract.test.ts`, folder.path)
    const others = ['api', 'app', 'users', 'memory'].map((name) => `${name}.test.ts`).join(' ')
    expect(await succeed(`${command} ${others}`, folder.path)).toMatch(/^# pass 6$/m)
    const wrong = (file: string, test: string): string =>
      `sed -i 's/auth: true/auth: false/' ${file} && ${command} ${test}`
    expect((await shell(wrong('api.test.ts', 'api.test.ts'), folder.path)).code).toBe(1)
    expect((await shell(wrong('app.ts', 'app.test.ts'), folder.path)).code).toBe(1)
    expect(await contract).toMatch(/^# fail 0$/m)
  } finally {
    folder.remove()
  }
})
