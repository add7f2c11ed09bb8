import { type ChildProcess, spawn } from 'node:child_process'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stopped } from '../readme/server.ts'
import { type Folder, program } from './folders.ts'
import { installed, packagesOf } from './installed.ts'
import { cleanEnvironment } from './shell.ts'

export interface OrmExample {
  readonly path: string
  /** Starts its server, which ends with the test file. */
  start(entry: string, environment?: Readonly<Record<string, string>>): Promise<RunningExample>
}

export interface RunningExample {
  readonly child: ChildProcess
  ask(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ readonly status: number; readonly json: ReturnType<typeof JSON.parse> }>
}

/**
 * Installs an example with an ORM, once for its test file, and tests what all of them have in common.
 *
 * @param replaced files with another text
 * @param prepare what follows the installation
 */
export const ormExample = (
  name: string,
  prepare: (path: string) => Promise<unknown>,
  replaced: Readonly<Record<string, string>> = {},
): (() => OrmExample) => {
  const root = `examples/${name}`
  const files = globSync(`${root}/**/*.{ts,json,prisma,sql}`)
    .map((path) => relative(root, path))
    .filter((path) => !/^(node_modules|generated|dist)\b/.test(path))
  const texts = Object.fromEntries(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
  const running: ChildProcess[] = []
  let folder: Folder

  beforeAll(async () => {
    folder = installed(packagesOf(texts['package.json']), { ...texts, ...replaced })
    await prepare(folder.path)
  })
  afterAll(async () => {
    for (const child of running) await stopped(child)
    folder?.remove()
  })

  test('has at most 80 lines', () => {
    const code = files.filter((file) => file.endsWith('.ts') && file !== 'prisma.config.ts')
    expect(code.flatMap((file) => texts[file]?.trimEnd().split('\n') ?? []).length).toBeLessThanOrEqual(80)
    expect(code.length).toBeGreaterThan(0)
  })

  test('needs no package of other ORMs and hosts', () => {
    const all = readdirSync(join(folder.path, 'node_modules'))
    for (const other of ['drizzle-orm', 'fastify', 'express', 'hono']) expect(all).not.toContain(other)
  })

  const start: OrmExample['start'] = async (entry, environment) => {
    const child = spawn(program('node'), [entry], {
      ...{ cwd: folder.path, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
      env: { ...cleanEnvironment(), PORT: '0', ...environment },
    })
    running.push(child)
    const base = await addressOf(child)
    return { child, ask: asking(base) }
  }
  return () => ({ path: folder.path, start })
}

/** Where its endpoints are: it prints the address of its documentation page. */
export const addressOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let printed = ''
    const collect = (text: Buffer): void => {
      printed += text.toString()
      const [found] = /http:\/\/\S+?(?=\/docs|\s)/.exec(printed) ?? []
      if (found !== undefined) resolve(found)
    }
    child.stdout?.on('data', collect)
    child.stderr?.on('data', collect)
    child.on('close', (code) => reject(new Error(`The example ended with ${code}:\n${printed}`)))
  })

export const asking =
  (base: string): RunningExample['ask'] =>
  async (method, path, body) => {
    const response = await fetch(`${base}${path}`, {
      method,
      ...(body !== undefined && {
        ...{ headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
      }),
    })
    const text = await response.text()
    return { status: response.status, json: text === '' ? undefined : JSON.parse(text) }
  }
