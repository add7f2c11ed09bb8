import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { areRunning, tag } from '../needed-program.ts'
import { emptyFolder, type Folder, program } from '../package/folders.ts'
import { succeed } from '../package/shell.ts'
import { samples } from '../upload/samples.ts'
import { exchanges, readPrinted } from './exchanges.ts'
import { fencedBlocks } from './fenced-blocks.ts'
import { type Serving, serving } from './server.ts'

const readme = readFileSync('README.md', 'utf8')
const tour = readFileSync('docs/tour.md', 'utf8')

test('the first two commands are those that were promised', () => {
  const [start, check] = fencedBlocks(readme).flatMap(({ text }) => (text.startsWith('npm ') ? [text] : []))
  expect([start, check]).toEqual(['npm ci && npm start', 'npm ci && npm test'])
})

/** The names that the server makes for files are random. */
const withoutNames = (text: string): string => text.replaceAll(/(?<=\/)[a-z2-7]{26}(?=\.)/g, '…')

describe('with the example running, each request is answered as printed', { tags: [tag] }, () => {
  const headings = [
    'Endpoints',
    'Relations and reports',
    'Controllers and hooks',
    'Scope',
    'Custom schemas',
    'Files',
  ]
  const under = (name: string, page: string, heading: string) => {
    const found = exchanges(page, heading)
    if (found.length === 0) throw new Error(`${name} has no request under ${heading}.`)
    return found.map((exchange) => ({ name, ...exchange }))
  }
  const all = headings.flatMap((heading) => under('docs/tour.md', tour, heading))
  let folder: Folder
  let server: Serving

  const hasCurl = areRunning('curl', 'the requests of the tour')

  beforeAll(async () => {
    if (!hasCurl) return
    folder = emptyFolder()
    writeFileSync(join(folder.path, 'lantern.png'), samples.png)
    // `npm start` builds the package again, which the tests of the package have done.
    const { start } = JSON.parse(readFileSync('package.json', 'utf8')).scripts
    expect(start).toMatch(/^npm run --silent build && exec node \S+$/)
    const line = start.replace(/^.* node /, `${program('node')} `)
    server = await serving(line, '.', '/api/products/1', { DATABASE: join(folder.path, 'shop.db') })
  })

  afterAll(async () => {
    if (!hasCurl) return
    await server?.stop()
    folder.remove()
  })

  const answerTo = (command: string): Promise<string> =>
    succeed(command.replaceAll('localhost:3000', new URL(server.origin).host), folder.path)

  test('there are requests', () => {
    expect(all.length).toBeGreaterThanOrEqual(5)
  })

  // In their order: a later request reads what an earlier one wrote.
  test.each(all)('$name:$line $command', async ({ command, answer }) => {
    if (/^curl -si /.test(command)) {
      const expected = readPrinted(answer)
      const printed = readPrinted(await answerTo(command))
      expect(printed).toMatchObject(expected)
      return
    }
    expect(command).toMatch(/^curl -s /)
    const printed = await answerTo(command.replace('curl -s ', 'curl -s --fail-with-body '))
    expect(withoutNames(printed)).toBe(withoutNames(answer))
  })
})
