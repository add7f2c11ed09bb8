import { expect, test } from 'vitest'
import { exchanges, readPrinted } from './exchanges.ts'
import { fencedBlocks } from './fenced-blocks.ts'

const page = [
  ...['# A', '```sh', 'npm i', '```', '## B', '```ts', '// a/b.ts', 'x', '', '# no heading', '```'],
  ...['text', '```sh', 'curl -s x', '```', '```json', '{}', '```'],
].join('\n')

test('blocks are found with language, section and file', () => {
  expect(fencedBlocks(page).map(({ language, line }) => `${language}:${line}`)).toEqual([
    'sh:2',
    'ts:6',
    'sh:13',
    'json:16',
  ])
  expect(fencedBlocks(page, 'A')).toHaveLength(1)
  expect(fencedBlocks(page, 'B')[0]).toEqual({
    language: 'ts',
    text: '// a/b.ts\nx\n\n# no heading',
    file: 'a/b.ts',
    line: 6,
  })
})

test('a block that is not closed is refused', () => {
  expect(() => fencedBlocks('```ts\nx')).toThrow('The block of line 1 is never closed.')
})

test('a command has its answer in the next block', () => {
  expect(exchanges(page, 'B')).toEqual([{ command: 'curl -s x', answer: '{}', line: 13 }])
  expect(() => exchanges('# B\n```sh\na\n```', 'B')).toThrow('Line 2')
  expect(() => exchanges('# B\n```sh\na\nb\n```\n```json\n1\n```', 'B')).toThrow('Line 2')
})

test('what curl prints is read', () => {
  expect(readPrinted('HTTP/1.1 201 Created\r\nLocation: /a\r\n\r\n{"a":1}')).toEqual({
    status: 'HTTP/1.1 201 Created',
    headers: { location: '/a' },
    body: '{"a":1}',
  })
  expect(readPrinted('HTTP/1.1 204 No Content\r\n\r\n')).toMatchObject({ body: '' })
})
