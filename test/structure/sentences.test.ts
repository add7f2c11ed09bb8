import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { quotationsOf, sentencesOf } from './sentences.ts'
import { readSources } from './source-files.ts'

const sentences = readSources('src').flatMap(sentencesOf)

const rooms = [...new Set(sentences.map(({ room }) => room))].sort()

test.each(rooms)('every sentence of %s that people read stands in its table', async (name) => {
  const lines = sentences
    .filter(({ room }) => room === name)
    .map(({ kind, text }) => `${kind === '' ? '-' : kind} | ${text.replaceAll('\n', '\\n')}`)
  const table = `${[...new Set(lines)].sort().join('\n')}\n`
  await expect(table, 'Read the new sentences, and write them with --update.').toMatchFileSnapshot(
    `sentences/${name}.txt`,
  )
})

test('each table is of a room that has sentences', () => {
  expect(readdirSync('test/structure/sentences').toSorted()).toEqual(rooms.map((room) => `${room}.txt`))
})

/** Without the titles of the contract suites. */
const messages = sentences.filter(({ room }) => room !== 'testing')

test('no other test quotes one: they assert status, code and names', () => {
  const quotations = readSources('test')
    .filter(({ path }) => !path.startsWith('structure/'))
    .flatMap(quotationsOf(messages))
  expect(quotations).toEqual([])
})

test.each([
  ['a problem', "problem('invalid_body', 'The page is too high.')", 'invalid_body'],
  ['a mistake', "new StartError('The option models must be there.')", 'start'],
  ['another text', "const title = 'Anything for people to read'", ''],
])('%s is found', (_, text, kind) => {
  expect(sentencesOf({ path: 'a/b.ts', text })).toMatchObject([{ room: 'a', kind }])
})

test.each([
  ['a query', 'sql`select name from users where id = 1`'],
  ['a type of SQL', 'f("timestamp with time zone")'],
  ['a list of words', 'words(`\nfirst second third\nfourth`)'],
  ['a name', "call('text/plain; charset=utf-8')"],
])('%s is none', (_, text) => {
  expect(sentencesOf({ path: 'a/b.ts', text })).toEqual([])
})

const known = sentencesOf({
  path: 'a.ts',
  text: `f(\`The page \${n} is too high for this list. Install it: npm install --save-dev page-maker\`)`,
})

test.each([
  ['a text', "expect(detail).toContain('too high for this list')"],
  ['a pattern', 'expect(detail).toMatch(/is too high\\sfor/)'],
  ['a row', "test.each([[1, 'it is too high for this list']])('%s', (_, text) => expect(text).toBe(1))"],
  ['a template', `expect(detail).toBe(\`The page \${n} is too high for this list.\`)`],
])('a quotation in %s is found', (_, text) => {
  expect(quotationsOf(known)({ path: 'b.test.ts', text })).toHaveLength(1)
})

test.each([
  ['names', "expect(detail).toMatch(naming('page', '7'))"],
  ['a command', "expect(detail).toMatch(naming('npm install --save-dev page-maker'))"],
  ['names with hyphens and slashes', "import('too/high-for/this-list')"],
  ['a title', "test('it is too high for this list', () => undefined)"],
  ['a title in a row', "test.each([['it is too high for this list', 1]])('%s', (_, n) => expect(n).toBe(1))"],
  ['a key', "const cases = { 'it is too high for this list': 1 }"],
  ['a title of many', "test.each([1])('it is too high for this list', () => undefined)"],
])('%s quote nothing', (_, text) => {
  expect(quotationsOf(known)({ path: 'b.test.ts', text })).toEqual([])
})
