import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { emptyFolder, type Files, type Folder } from './folders.ts'
import { installOthers } from './installed.ts'
import { pinned } from './pinned.ts'

/** The programs of the platforms, which their packages contain. */
const programs = {
  bun: ['@oven/bun-linux-x64@1.4.5', 'bin/bun'],
  deno: ['@deno/linux-x64-glibc@2.9.6', 'deno'],
  workerd: ['@cloudflare/workerd-linux-64@1.20261117.1', 'bin/workerd'],
} as const

export type Platform = keyof typeof programs

export interface Platforms {
  readonly folder: Folder
  readonly program: (platform: Platform) => string
}

/** Installs modelrest and the platforms, without install scripts. */
export const installPlatforms = async (files: Files): Promise<Platforms> => {
  const folder = emptyFolder({ 'package.json': '{ "private": true, "type": "module" }', ...files })
  const names = [
    ...Object.values(programs).map(([name]) => name),
    ...['fast-check', 'drizzle-orm', 'better-sqlite3'].map(pinned),
  ]
  await installOthers(folder.path, names)
  const program = (platform: Platform): string => {
    const [name, path] = programs[platform]
    return join(folder.path, 'node_modules', name.replace(/@[^@]+$/, ''), path)
  }
  for (const platform of ['bun', 'deno', 'workerd'] as const) chmodSync(program(platform), 0o755)
  return { folder, program }
}

/** A test file that runs the suite of hosts on a platform. @param body starts a server and returns it */
export const suiteFile = (
  imports: string,
  start: string,
  differences: readonly RegExp[],
  more = '',
): string => `
${imports}
import { fetchApp } from 'modelrest/fetch'
import { hostContract } from 'modelrest/testing'

const differences = [${differences.join(', ')}]
const it = (title, body) => differences.some((known) => known.test(title)) || test(title, body)

hostContract({ describe, it, before, after }, {
  name: 'the platform',
  ${more}
  start: async ({ base, mount }) => {
    const addresses = new WeakMap()
    const app = fetchApp({ base, clientAddress: (request) => addresses.get(request) })
    await mount(app)
    ${start}
  },
})
`
