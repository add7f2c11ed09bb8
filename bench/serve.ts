// Serves one side of a comparison: node --expose-gc bench/serve.ts <its module> <sqlite|postgres> <file or URL>
import type { FromServer, ToServer } from './messages.ts'

/** A side that listens on a free port of 127.0.0.1. */
export type Open = (database: 'sqlite' | 'postgres', location: string) => Promise<Opened>

export interface Opened {
  readonly origin: string
  close(): Promise<unknown>
}

const [module = '', database = '', location = ''] = process.argv.slice(2)
const { open } = (await import(new URL(module, import.meta.url).href)) as { readonly open: Open }
const { origin, close } = await open(database === 'postgres' ? 'postgres' : 'sqlite', location)

const send = (message: FromServer): void => {
  process.send?.(message)
}

process.on('message', ({ memory }: ToServer) => {
  if (memory) {
    // The second one frees what the first one let go.
    globalThis.gc?.()
    globalThis.gc?.()
    send({ rss: process.memoryUsage().rss })
    return
  }
  const { user, system } = process.cpuUsage()
  send({ cpuMicroseconds: user + system })
})
process.once('disconnect', () => {
  close().then(() => process.exit(0))
})

send({ origin })
