import { createServer, type IncomingMessage, Server, type ServerResponse } from 'node:http'
import { lazily } from '../../model/objects.ts'
import type { SendRequest } from './requests.ts'

/** An application that needs a server: a listener of `node:http` such as one of Express, a server, or one of NestJS. */
export type ListeningTested =
  | ((request: IncomingMessage, response: ServerResponse) => unknown)
  | Server
  | { getHttpServer(): unknown }

/** The server of an application. `undefined`: it is of another kind. */
export const serverOf = (app: unknown): Server | undefined => {
  if (app instanceof Server) return app
  if (typeof app === 'function') return createServer((request, response) => void app(request, response))
  const { getHttpServer }: { getHttpServer?: unknown } = Object(app)
  const server: unknown = typeof getHttpServer === 'function' ? getHttpServer.call(app) : undefined
  return server instanceof Server ? server : undefined
}

/** Sends requests to a server over HTTP. The first one starts it, if it does not listen yet. */
export const overHttp = (server: Server): SendRequest => {
  const origin = lazily(() => originOf(server))
  return async (request) => {
    const { pathname, search } = new URL(request.url)
    const headers = new Headers(request.headers)
    // An open connection would keep the process running.
    headers.set('connection', 'close')
    const { method, body } = request
    return fetch(`${await origin()}${pathname}${search}`, {
      ...{ method, headers, redirect: 'manual' },
      ...(body && { body, duplex: 'half' as const }),
    })
  }
}

const originOf = async (server: Server): Promise<string> => {
  if (!server.listening)
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(0, '127.0.0.1', resolve).unref()
    })
  const address = server.address()
  if (address === null || typeof address === 'string')
    throw new Error('testClient(): the server must listen on a port.')
  return `http://127.0.0.1:${address.port}`
}
