// Sends requests at a fixed rate, whatever the responses, or from a few connections as fast as they are answered. A process
// of its own. autocannon sends the next request of a connection only after its response.
import { connect, type Socket } from 'node:net'
import { type FromOpenLoad, obey, type ToOpenLoad } from './messages.ts'

/** Milliseconds between two bursts of requests. */
const PACE = 1
/** Connections that are opened at the same time. */
const OPENED_AT_ONCE = 100

interface Client {
  readonly socket: Socket
  /** When the request should have been sent. */
  due: number
}

/** Calls `answered` with the status of each response. Responses must have a content-length. */
const readResponses = (socket: Socket, answered: (status: number) => void): void => {
  let text = ''
  socket.setEncoding('latin1').on('data', (piece: string) => {
    text = text === '' ? piece : text + piece
    for (;;) {
      const head = text.indexOf('\r\n\r\n')
      if (head === -1) return
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, head + 2))?.[1])
      const end = head + 4 + length
      if (text.length < end) return
      const status = Number(text.slice(9, 12))
      text = text.slice(end)
      answered(status)
    }
  })
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

const run = async ({
  port,
  paths,
  connections,
  rate,
  warmUp,
  seconds,
}: ToOpenLoad): Promise<FromOpenLoad> => {
  const requests = paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`)
  const statuses: Record<number, number> = {}
  const took: number[] = []
  const tookServed: number[] = []
  const idle: Client[] = []
  const busy = new Set<Client>()
  let sent = 0
  let measuredFrom = Number.POSITIVE_INFINITY
  let measuredTo = Number.POSITIVE_INFINITY
  let isClosedLoop = rate === undefined

  const send = (client: Client, due: number): void => {
    client.due = due
    busy.add(client)
    client.socket.write(requests[sent % requests.length] ?? '')
    sent += 1
  }
  const note = ({ due }: Client, status: number): void => {
    if (due < measuredFrom || due >= measuredTo) return
    const milliseconds = performance.now() - due
    statuses[status] = (statuses[status] ?? 0) + 1
    took.push(milliseconds)
    if (status === 200) tookServed.push(milliseconds)
  }

  const open = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', resolve).setNoDelay().once('error', reject)
      const client: Client = { socket, due: 0 }
      idle.push(client)
      readResponses(socket, (status) => {
        busy.delete(client)
        note(client, status)
        if (isClosedLoop) send(client, performance.now())
        else idle.push(client)
      })
    })
  for (let opened = 0; opened < connections; opened += OPENED_AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(OPENED_AT_ONCE, connections - opened) }, open))

  const begun = performance.now()
  measuredFrom = begun + warmUp * 1000
  measuredTo = measuredFrom + seconds * 1000
  if (isClosedLoop) for (const client of idle.splice(0)) send(client, begun)
  let due = begun
  let first = 0
  let hasWaited = false
  await new Promise<void>((resolve) => {
    const burst = (): void => {
      const now = performance.now()
      if (now >= measuredTo) {
        resolve()
        return
      }
      for (; rate !== undefined && due <= now; due += 1000 / rate) {
        const client = idle[first]
        // The time of a request that finds no free connection goes on. A delay of this process does not count.
        if (client === undefined) {
          hasWaited = true
          break
        }
        first += 1
        send(client, hasWaited ? due : now)
      }
      hasWaited &&= due <= now
      idle.splice(0, first)
      first = 0
      setTimeout(burst, PACE)
    }
    burst()
  })
  isClosedLoop = false
  // What is not answered has taken at least as long.
  const unanswered = [...busy].filter((client) => client.due >= measuredFrom)
  const unsent = rate === undefined ? 0 : Math.max(0, Math.floor(((measuredTo - due) * rate) / 1000))
  const waits = [
    ...unanswered.map((client) => measuredTo - client.due),
    ...Array.from({ length: unsent }, (_, place) => (place * 1000) / (rate ?? 1)),
  ].filter((wait) => wait > 0)
  for (const client of busy) client.socket.destroy()
  for (const { socket } of idle) socket.destroy()
  const all = [...took, ...waits].sort((one, other) => one - other)
  const served = [...tookServed, ...waits].sort((one, other) => one - other)
  return {
    perSecond: took.length / seconds,
    served: statuses[200] ?? 0,
    refused: statuses[503] ?? 0,
    others: took.length - (statuses[200] ?? 0) - (statuses[503] ?? 0),
    unanswered: unanswered.length + unsent,
    ...{ p50: at(served, 0.5), p99: at(served, 0.99), max: at(served, 1), p99OfAll: at(all, 0.99) },
  }
}

obey<ToOpenLoad>(run)
