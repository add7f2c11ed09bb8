import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

/** A registry that knows one package. */
export interface Registry {
  readonly url: string
  close(): Promise<void>
}

/** Serves a packed package as a registry does, without what it depends on. */
export const registryOf = async (tarball: string, name: string, version: string): Promise<Registry> => {
  const bytes = readFileSync(tarball)
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
  const server = createServer((request, response) => {
    const url = `http://${request.headers.host}/${name}/-/${name}-${version}.tgz`
    if (request.url === new URL(url).pathname) return response.end(bytes)
    if (request.url !== `/${name}`) return response.writeHead(404).end('{}')
    const bin = { modelrest: 'dist/cli/main.js' }
    const versions = { [version]: { name, version, bin, dist: { tarball: url, integrity } } }
    response.writeHead(200, { 'content-type': 'application/json' })
    return response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The registry has no port.')
  return {
    url: `http://127.0.0.1:${address.port}/`,
    close: async () => {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }
}
