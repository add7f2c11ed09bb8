import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toOpenApi } from '../../src/openapi/document.ts'
import { openApiOperations } from '../../src/openapi/operations.ts'
import type { Operation } from '../../src/operation/operation.ts'
import { runSync } from '../../src/operation/run.ts'
import { callOf } from '../openapi/call.ts'
import { samples } from '../openapi/samples.ts'

const base = '/behind/api'

const operations: readonly Operation[] = [
  ...samples,
  ...openApiOperations(() => toOpenApi(samples, { base, title: 'Shop' }, [])),
]

const matching = (method: string, path: string): Operation | undefined =>
  operations.find(
    (operation) =>
      operation.method === method &&
      new RegExp(`^${base}${operation.path.replaceAll(/\{\w+\}/g, '[^/]+').replace(/\/$/, '')}/?$`).test(
        path,
      ),
  )

const answer = (request: IncomingMessage, response: ServerResponse): void => {
  const [path = '', query = ''] = (request.url ?? '').split('?')
  const operation = matching(request.method ?? '', path)
  const header = (name: string) => request.headers[name]?.toString()
  const call = callOf(path, { query, header, params: { asset: path.split('/').at(-1) ?? '' } })
  const progress = operation && runSync(operation.run(call))
  if (progress === undefined || progress instanceof Promise || !('reply' in progress)) {
    response.writeHead(404).end()
    return
  }
  const { status, headers, body } = progress.reply
  response.writeHead(status, headers).end(body)
}

/** The hand-made operations and their documentation, behind a prefix. */
export const serveSamples = async (): Promise<{ url: string; close: () => void }> => {
  const server = createServer(answer)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}${base}`, close }
}
