import { readFileSync } from 'node:fs'
import { expect, inject, test } from 'vitest'
import { fencedBlocks } from '../readme/fenced-blocks.ts'
import { folderWithPackage, program } from './folders.ts'
import { shell, succeed } from './shell.ts'

const page = readFileSync('docs/testing.md', 'utf8')

test('docs/testing.md has tests that pass, and fail if the application is wrong', async () => {
  const files = Object.fromEntries(
    fencedBlocks(page).flatMap(({ file, text }) => (file === undefined ? [] : [[file, text]])),
  )
  const folder = folderWithPackage(inject('unpacked'), files)
  try {
    const command = `${program('node')} --test --test-reporter=tap app.test.ts`
    expect(await succeed(command, folder.path)).toMatch(/^# pass 2$/m)
    const printed = await succeed(`${program('node')} --test --test-reporter=spec`, folder.path)
    const results = printed.split('\n').filter((line) => line !== '' && !line.startsWith('ℹ '))
    const shown =
      fencedBlocks(page)
        .find(({ language }) => language === 'text')
        ?.text.split('\n') ?? []
    const duration = /[\d.]+ms/
    expect(results.map((line) => line.replace(duration, ''))).toEqual(
      shown.map((line) => line.replace(duration, '')),
    )
    const wrong = `sed -i 's/auth: true/auth: false/' app.ts && ${command}`
    expect((await shell(wrong, folder.path)).code).toBe(1)
  } finally {
    folder.remove()
  }
})
