import { once } from 'node:events'
import { createRequire } from 'node:module'
import { type AddressInfo, Server } from 'node:net'
import { join } from 'node:path'

/** A program of a user that runs in this process, which has loaded modelrest for those before. */
export interface Started {
  /** What its file exports. */
  readonly exports: Readonly<Record<string, ReturnType<typeof JSON.parse>>>
  /** What it wrote to stdout while it started. */
  readonly out: string
  /** What it wrote to stderr. */
  readonly err: string
  /** Where it listens. @throws if it does not */
  readonly origin: string
  /** Stops to listen. */
  readonly close: () => void
}

const { nativeImport } = createRequire(import.meta.url)('./native.ts') as typeof import('./native.ts')

export { nativeImport }

/**
 * Imports the main file of a program, in its folder as the working folder. It listens on a free port.
 *
 * @param file a file that this process has not imported yet
 */
export const start = async (
  folder: string,
  file: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Started> => {
  const servers: Server[] = []
  const ready: Promise<unknown>[] = []
  const out: string[] = []
  const err: string[] = []
  const restore = [
    replace(Server.prototype, 'listen', function (this: Server, ...given: unknown[]) {
      servers.push(this)
      // A program may stop it by itself.
      ready.push(Promise.allSettled([Promise.race([once(this, 'listening'), once(this, 'close')])]))
      return Reflect.apply(listen, this, given)
    }),
    replace(console, 'log', (...words: unknown[]) => void out.push(lineOf(words))),
    replace(console, 'warn', (...words: unknown[]) => void err.push(lineOf(words))),
    replace(process.stderr, 'write', (text: unknown) => err.push(String(text)) > 0),
    replace(process, 'env', { ...process.env, PORT: '0', ...env }),
  ]
  const before = process.cwd()
  process.chdir(folder)
  try {
    const exports = await nativeImport(join(folder, file))
    await Promise.all(ready)
    return {
      exports: exports as Started['exports'],
      ...{ out: out.join(''), err: err.join('') },
      get origin() {
        const address = servers[0]?.address() as AddressInfo
        return `http://localhost:${address.port}`
      },
      close: () => {
        for (const server of servers) closeNow(server)
      },
    }
  } finally {
    process.chdir(before)
    for (const each of restore) each()
  }
}

const { listen } = Server.prototype

const lineOf = (words: readonly unknown[]): string => `${words.map(String).join(' ')}\n`

/** Clients keep their connections. */
const closeNow = (server: Server & { closeAllConnections?: () => void }): void => {
  server.close()
  server.closeAllConnections?.()
}

/** Puts something in the place of a member. @returns what puts it back */
const replace = (owner: object, name: string, value: unknown): (() => void) => {
  const own: unknown = Reflect.get(owner, name)
  Reflect.set(owner, name, value)
  return () => void Reflect.set(owner, name, own)
}
