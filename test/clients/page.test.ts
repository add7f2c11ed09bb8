import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { strangersIn } from '../readme/excerpts.ts'
import { fencedBlocks } from '../readme/fenced-blocks.ts'
import { clients } from './clients.ts'

/** The programs by the headings of docs/client-examples.md. */
const programs: Readonly<Record<string, string>> = {
  'TypeScript on fetch': 'typescript-fetch/program.ts',
  'TypeScript on axios': 'typescript-axios/program.ts',
  Python: 'python/program.py',
  Java: 'java/program/src/main/java/Program.java',
  Go: 'go/program.go',
}

const page = readFileSync('docs/client-examples.md', 'utf8')

test('the page shows every program', () => {
  expect(Object.values(programs).map((path) => path.split('/')[0])).toEqual(
    clients.map(({ language }) => language),
  )
  expect(fencedBlocks(page)).toHaveLength(clients.length)
})

test.each(Object.entries(programs))('what stands under %s is a part of its program', (heading, path) => {
  const [block] = fencedBlocks(page, heading)
  const excerpt = block?.text.replaceAll('# …', '// …') ?? ''
  expect(excerpt).not.toBe('')
  expect(strangersIn(excerpt, readFileSync(`${import.meta.dirname}/${path}`, 'utf8'))).toEqual([])
})
