import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as WebStream } from 'node:stream/web'
import type { FetchApp } from '../../src/host/fetch/index.ts'
import { listenNode } from './node/listen.ts'

const addresses = new WeakMap<Request, string | undefined>()

/** Where a request came from that was received here. */
export const clientAddress = (request: Request): string | undefined => addresses.get(request)

/** Puts Node's HTTP server in front of a fetch application. */
export const listenFetch = async (app: FetchApp) => {
  const server = createServer((incoming, outgoing) => {
    // What nobody has read is dropped, as Node does it by itself where the stream was not touched.
    outgoing.on('finish', () => incoming.removeAllListeners('data').resume())
    app.fetch(toRequest(incoming)).then(
      (response) => write(outgoing, response),
      (error) => outgoing.destroy(error),
    )
  })
  return listenNode(server)
}

const toRequest = (incoming: IncomingMessage): Request => {
  const { method = 'GET', headers, url } = incoming
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  const body = hasBody && method !== 'GET' && method !== 'HEAD' ? Readable.toWeb(incoming) : null
  const request = new Request(`http://localhost${url}`, {
    method,
    headers: pairs(incoming.rawHeaders),
    body: body as ReadableStream<Uint8Array> | null,
    duplex: 'half',
  })
  addresses.set(request, incoming.socket.remoteAddress)
  return request
}

/** As they came: Node would drop the second of several. */
const pairs = (rawHeaders: readonly string[]): [string, string][] =>
  rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? '']] : []))

const write = async (outgoing: ServerResponse, response: Response): Promise<void> => {
  outgoing.statusCode = response.status
  outgoing.setHeaders(response.headers)
  if (response.body !== null && response.headers.has('content-length')) {
    // A client that goes before the end is no failure of the server's.
    await pipeline(Readable.fromWeb(response.body as WebStream), outgoing).catch(() => undefined)
    return
  }
  const bytes = Buffer.from(await response.arrayBuffer())
  if (bytes.length > 0) outgoing.setHeader('content-length', bytes.length)
  outgoing.end(bytes)
}
