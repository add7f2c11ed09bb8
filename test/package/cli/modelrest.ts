import { spawn } from 'node:child_process'
import { packedCommand, program } from '../folders.ts'
import { cleanEnvironment } from '../shell.ts'

/** How the program ended, with its two ways out apart. */
export interface Told {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Runs the packed program in a folder that has the package. */
export const modelrest = (
  folder: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Told> =>
  new Promise((resolve, reject) => {
    const child = spawn(program('node'), [packedCommand(folder), ...words], {
      ...{ cwd: folder, env: { ...cleanEnvironment(), ...env }, stdio: 'pipe' },
    })
    const told = { out: '', err: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      told.out += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      told.err += text
    })
    child.stdin.end()
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, ...told }))
  })
