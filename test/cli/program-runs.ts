import { spawn } from 'node:child_process'
import { environment, program, type Told } from './client-runs.ts'

/** An API module that has a generator without an application, whose document has a title. `title` is an expression. */
export const apiTitled = (title: string): string => `export const api = {
  init: async () => undefined,
  openapi: () => ({ openapi: '3.1.0', info: { title: ${title} }, servers: [], paths: {} }),
  cleanFiles: async () => [],
}
`

/** Runs `modelrest …`, from its sources, in a folder. */
export const modelrest = (
  folder: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Told> => {
  const [node, main] = program
  const child = spawn(node, [main, ...words], {
    ...{ cwd: folder, env: environment(env), stdio: ['ignore', 'pipe', 'pipe'] },
  })
  const texts = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    texts.out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    texts.err += text
  })
  return new Promise((done, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => done({ code, signal, ...texts }))
  })
}
