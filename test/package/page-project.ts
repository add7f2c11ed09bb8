import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { type Block, fencedBlocks } from '../readme/fenced-blocks.ts'
import { freePort, stopped, untilAnswered } from '../readme/server.ts'
import { type Files, type Folder, folderWithPackage, program } from './folders.ts'
import { cleanEnvironment, succeed } from './shell.ts'

/** A project with the files of a page, and the tables that its command creates. */
export interface PageProject {
  readonly folder: Folder
  readonly blocks: readonly Block[]
  readonly files: Files
  /** Runs lines of the page in one shell. */
  run(lines: string): Promise<string>
  /** Starts the server of the page, and waits until a path answers. */
  serving<T>(path: string, use: (origin: string) => Promise<T>): Promise<T>
  /** Starts the server of the page, and runs each request whose response the page shows. */
  answers(path: string): Promise<readonly { readonly shown: string; readonly printed: string }[]>
}

/** The packages that a page tells its readers to install are those of the quick start. */
const installs = (blocks: readonly Block[]): readonly string[] =>
  blocks.flatMap(({ text }) => text.split('\n').filter((line) => line.startsWith('npm ')))

const installsOfQuickStart = installs(fencedBlocks(readFileSync('README.md', 'utf8'), 'Quick start'))

const END_OF_BLOCK = '- end of block -'

/**
 * Does what a reader does who comes straight to a page. @throws if a command is missing or fails
 * @param page one, or the first of several whose files are one project
 */
export const pageProject = async (
  page: string | readonly [string, ...string[]],
  unpacked: string,
  more: Files = {},
): Promise<PageProject> => {
  const blocks = [page].flat().flatMap((path) => fencedBlocks(readFileSync(path, 'utf8')))
  const missing = installsOfQuickStart.filter((line) => !installs(blocks).includes(line))
  if (missing.length > 0) throw new Error(`${page} does not say: ${missing.join(', ')}`)
  const files = Object.fromEntries(
    blocks.flatMap(({ file, text }) => (file === undefined ? [] : [[file, `${text}\n`]])),
  )
  const folder = folderWithPackage(unpacked, { ...files, ...more })
  const env = {
    ...cleanEnvironment(),
    PATH: `${program('')}:${process.env['PATH']}`,
    SECRET_KEY: 'a secret of tests, with more than 32 bytes',
  }
  const run = (lines: string): Promise<string> => succeed(lines.replaceAll('npx ', ''), folder.path, env)
  const lines = blocks.filter(({ language }) => language === 'sh').flatMap(({ text }) => text.split('\n'))
  const lineWith = (start: string): string => {
    const line = lines.find((known) => known.startsWith(start))
    if (line === undefined) throw new Error(`${page} has no line ${start}`)
    return line
  }
  await run(lineWith('npx drizzle-kit push '))
  const serving: PageProject['serving'] = async (path, use) => {
    const port = await freePort()
    const origin = `http://localhost:${port}`
    const server = spawn(`exec ${lineWith('npx node ').replace('npx ', '')}`, {
      ...{ cwd: folder.path, shell: true, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
      env: { ...env, PORT: `${port}` },
    })
    try {
      await untilAnswered(server, origin + path)
      return await use(origin)
    } finally {
      await stopped(server)
    }
  }
  return {
    ...{ folder, blocks, files, run, serving },
    answers: (path) =>
      serving(path, async (origin) => {
        const asked = blocks.flatMap(({ language, text }, index) => {
          const shown = blocks[index + 1]
          if (language !== 'sh' || shown?.language !== 'json' || !/^curl /m.test(text)) return []
          return [{ shown: shown.text, text: text.replaceAll('localhost:3000', new URL(origin).host) }]
        })
        // One shell, since later blocks use variables of earlier ones.
        const printed = await run(asked.map(({ text }) => text).join(`\necho '${END_OF_BLOCK}'\n`))
        return printed
          .split(`${END_OF_BLOCK}\n`)
          .map((text, index) => ({ shown: asked[index]?.shown ?? '', printed: text.trimEnd() }))
      }),
  }
}
