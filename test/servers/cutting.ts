import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** When a connection is cut. */
export interface Cut {
  /** Whether what a client sends is what is waited for. */
  readonly at: (sent: string) => boolean
  /**
   * The server does not get it; or it does, and its answer is lost; or nobody hears of the other any more, and the
   * connection stays open; or its answer arrives, with the `farewell` behind it.
   */
  readonly lost: 'question' | 'answer' | 'both, in silence' | 'what follows'
  /** What a server says that ends. */
  readonly farewell?: Buffer
  /** How many connections. @default 1 */
  readonly times?: number
}

/** A way to a server that breaks at the moments that a test chooses. */
export interface Cutting {
  /** The server's URL, by this way. */
  readonly url: string
  /** From now on connections are cut so. None that was planned before is. */
  plan(cut: Cut): void
  /** Of connections that are open now, nobody hears of the other any more, and they stay open. New ones work. */
  silence(): void
  /** How many connections were cut since the last plan. */
  readonly done: number
  close(): Promise<void>
}

/** @param server the URL of a server on 127.0.0.1 */
export const cuttingBefore = async (server: string): Promise<Cutting> => {
  const target = new URL(server)
  const open = new Set<Socket>()
  const relays = new Set<{ isSilent: boolean }>()
  let plan: Cut | undefined
  let done = 0

  const relay = (client: Socket): void => {
    const upstream = connect(Number(target.port), '127.0.0.1')
    let isDeaf = false
    let farewell: Buffer | undefined
    const relayed = { isSilent: false }
    relays.add(relayed)
    const end = (): void => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.on('error', end)
      socket.on('close', end)
      socket.on('close', () => open.delete(socket))
    }
    client.on('data', (bytes) => {
      if (plan !== undefined && done < (plan.times ?? 1) && plan.at(bytes.toString('latin1'))) {
        done += 1
        if (plan.lost === 'question') return end()
        if (plan.lost === 'what follows') farewell = plan.farewell ?? Buffer.alloc(0)
        else isDeaf = true
        relayed.isSilent = plan.lost === 'both, in silence'
      }
      if (!relayed.isSilent) upstream.write(bytes)
    })
    upstream.on('data', (bytes: Buffer) => {
      if (relayed.isSilent) return
      if (isDeaf) return end()
      if (farewell === undefined) return client.write(bytes)
      client.end(Buffer.concat([bytes, farewell]))
      upstream.destroy()
    })
  }

  const way = createServer(relay)
  await once(way.listen(0, '127.0.0.1'), 'listening')
  const url = new URL(server)
  url.port = String((way.address() as AddressInfo).port)
  return {
    url: url.href,
    plan: (cut) => {
      plan = cut
      done = 0
    },
    silence: () => {
      for (const relayed of relays) relayed.isSilent = true
    },
    get done() {
      return done
    },
    close: async () => {
      const closed = once(way.close(), 'close')
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}
