import { spawn } from 'node:child_process'
import { delimiter } from 'node:path'

/** What a program wrote, and how it ended. */
export interface Ended {
  readonly code: number | null
  /** All that it wrote. */
  readonly output: string
  /** What it wrote to stdout. */
  readonly out: string
}

const ofTheOuterRun =
  /^(npm_(package|lifecycle|config_local_prefix|config_global|command|execpath)|INIT_CWD$|VITEST|NODE_ENV$|NODE_OPTIONS$|TEST$|MODE$|DEV$|PROD$)/i

/** The environment of a person at a terminal: without what npm and Vitest set for the run that we are in. */
export const cleanEnvironment = (): Record<string, string> => {
  const kept = Object.entries(process.env).flatMap(([name, value]): [string, string][] =>
    value === undefined || ofTheOuterRun.test(name) ? [] : [[name, value]],
  )
  const path = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !/node_modules|node-gyp-bin/.test(folder))
  return {
    ...Object.fromEntries(kept),
    PATH: path.join(delimiter),
    // What `npm ci` has fetched is not asked for again.
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
  }
}

/** Runs a line in a shell, in a folder, as a person would. */
export const shell = (
  line: string,
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(line, { cwd, shell: true, env: { ...cleanEnvironment(), ...env }, stdio: 'pipe' })
    let output = ''
    let out = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      out += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    child.stdin.end()
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output, out }))
  })

/** Runs a line and gives what it wrote. @throws with all of that where it fails. */
export const succeed = async (
  line: string,
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const { code, output } = await shell(line, cwd, env)
  if (code !== 0) throw new Error(`${line}\nended with ${code} in ${cwd}:\n${output}`)
  return output
}
