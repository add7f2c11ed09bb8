import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { naming } from '../../naming.ts'
import { fencedBlocks } from '../../readme/fenced-blocks.ts'
import { type Folder, folderWithPackage } from '../folders.ts'
import { withNode } from '../init/project.ts'
import { shell } from '../shell.ts'
import { modelrest, type Told } from './modelrest.ts'

const page = readFileSync('docs/cli.md', 'utf8')
const blocks = fencedBlocks(page)
const lines = blocks.filter(({ language }) => language === 'sh').flatMap(({ text }) => text.split('\n'))
const files = Object.fromEntries(
  blocks.flatMap(({ file, text }) => (file === undefined ? [] : [[file, `${text}\n`]])),
)

describe('docs/cli.md', () => {
  const create = lines.find((line) => line.startsWith('npx drizzle-kit push ')) ?? ''
  /** Each line, in the order of the page after what creates the tables. */
  const ran = new Map<string, Pick<Told, 'code' | 'out'>>()
  let folder: Folder
  beforeAll(async () => {
    folder = folderWithPackage(inject('unpacked'), { ...files, '.env': 'SECRET_KEY=\n' })
    // A command names the path of the program.
    mkdirSync(join(folder.path, 'node_modules'))
    symlinkSync(inject('unpacked'), join(folder.path, 'node_modules/modelrest'))
    ran.set(create, await run(create))
    for (const line of lines) if (line !== create) ran.set(line, await run(line))
  })
  afterAll(() => folder.remove())

  const run = async (line: string): Promise<Pick<Told, 'code' | 'out'>> => {
    if (/^npx (node|drizzle-kit) /.test(line)) return shell(line.replace('npx ', ''), folder.path, withNode)
    const [words = '', file] = line.split(' > ')
    expect(words).toMatch(/^npx modelrest /)
    expect(file ?? 'openapi.json').toBe('openapi.json')
    return modelrest(folder.path, words.split(' ').slice(2))
  }

  test('has no command that fails', () => {
    expect(lines).toHaveLength(13)
    for (const line of lines) expect([line, ran.get(line)?.code]).toEqual([line, 0])
  })

  test('shows the routes as they are told', () => {
    const { text = '' } = blocks.find(({ text }) => text.startsWith('METHOD')) ?? {}
    const { out = '' } = ran.get('npx modelrest routes') ?? {}
    for (const line of text.split('\n')) expect(out.split('\n')).toContain(line)
  })

  test.each(['openapi', 'routes', 'check', 'files clean'])('has every option of %s', async (command) => {
    const { out } = await run(`npx modelrest ${command} --help`)
    const options = [...out.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].flatMap(([, name]) => name ?? [])
    const section = page.slice(page.indexOf(`\n## ${command}\n`)).split('\n## ')[1] ?? ''
    const common = page.slice(page.indexOf('\n## Where your API is\n')).split('\n## ')[1] ?? ''
    const told = `${section}${common}`
    expect(options.length).toBeGreaterThan(4)
    for (const option of options.filter((name) => name !== '--help'))
      expect([option, new RegExp(`^\\| \`(-\\w, )?${option}[\` ]`, 'm').test(told)]).toEqual([option, true])
  })
})

test('an older Node is told what is needed, and the same line for a newer one', async () => {
  const again = `init my-desk --title 'Anna'\\''s desk' --database=pg --model article`
  const older = "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.19.0'})"
  const folder = folderWithPackage(inject('unpacked'))
  const given = ['init', 'my-desk', '--title', "Anna's desk", '--database=pg', '--model', 'article']
  const told = await modelrest(folder.path, given, { NODE_OPTIONS: `--import ${older}` })
  folder.remove()
  expect(told).toEqual({
    ...{ code: 1, out: '' },
    err: expect.stringMatching(
      naming('22.18', '20.19.0', `npx --yes --package=node@26 --package=modelrest modelrest ${again}`),
    ),
  })
})
