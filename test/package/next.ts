import { createServer, type RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { listenNode } from '../host/node/listen.ts'
import { program } from './folders.ts'
import { cleanEnvironment, succeed } from './shell.ts'

/** The version that the tests run with. */
export const nextPackages: readonly string[] = ['next@16.4.6', 'react@19.3.1', 'react-dom@19.3.1']

/** The environment of `next`. */
export const nextEnvironment = (): Readonly<Record<string, string>> => ({
  ...cleanEnvironment(),
  NEXT_TELEMETRY_DISABLED: '1',
})

type Fetch = (request: Request) => Promise<Response>

/** The applications that the routes below serve, by the header that names them. */
const apps = new Map<string, Fetch>()

const route = `
const fetch = (request) => globalThis.modelrestUnderTest.get(request.headers.get('x-under-test'))(request)
export { fetch as GET, fetch as POST, fetch as PUT, fetch as PATCH, fetch as DELETE }
`

/** An application of Next.js with routes at `/api` and `/`, which serve what the tests tell. */
export const nextRoutes: Readonly<Record<string, string>> = {
  'package.json': '{ "private": true, "type": "module" }',
  'next.config.js': 'export default { skipTrailingSlashRedirect: true, compress: false }',
  'app/api/[...path]/route.js': route,
  'app/[[...path]]/route.js': route,
}

/** The program `next` of a folder or one above, run by the Node.js of this repository. */
export const nextProgram = (folder: string): string =>
  `${program('node')} ${createRequire(join(folder, 'package.json')).resolve('next/dist/bin/next')}`

/** Runs `next build`. */
export const buildNext = (folder: string): Promise<string> =>
  succeed(`${nextProgram(folder)} build`, folder, nextEnvironment())

interface NextServer {
  prepare(): Promise<void>
  getRequestHandler(): RequestListener
  close(): Promise<void>
}

/** Runs the server of Next.js in this process, with the routes above. */
export const openNext = async (folder: string) => {
  const next: (options: object) => NextServer = createRequire(join(folder, 'package.json'))('next')
  const server = next({ dir: folder, dev: false })
  await server.prepare()
  Object.assign(globalThis, { modelrestUnderTest: apps })
  const handle = server.getRequestHandler()
  return {
    close: () => server.close(),
    listen: (fetch: Fetch) => {
      const name = String(apps.size)
      apps.set(name, fetch)
      return listenNode(
        createServer((request, response) => {
          request.headers['x-under-test'] = name
          handle(request, response)
        }),
      )
    },
  }
}
