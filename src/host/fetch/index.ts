import { StartError } from '../../error/start-error.ts'
import { stderrLog } from '../../observe/stderr-log.ts'
import type { Host, HostAdapter } from '../host.ts'
import { readTarget } from '../raw-path.ts'
import { type MountableApp, mountable, nobodyKnows } from './app.ts'
import { FetchCall } from './call.ts'

export { type FetchApp, type FetchAppOptions, fetchApp } from './app.ts'

const isFetchApp = (app: unknown): app is MountableApp =>
  typeof app === 'object' && app !== null && mountable in app

/** By what it has: runtimes and tests bring a `Request` of their own. */
const isRequest = (request: unknown): request is Request =>
  typeof request === 'object' &&
  request !== null &&
  'url' in request &&
  typeof request.url === 'string' &&
  'headers' in request &&
  typeof request.headers === 'object' &&
  request.headers !== null &&
  'get' in request.headers

/** Serves operations through an application of `fetchApp()`. It has no routes of its own. */
export const fetchHost: HostAdapter = {
  name: 'an application of fetchApp()',
  accepts: isFetchApp,
  attach: (app) => {
    if (!isFetchApp(app)) throw new StartError('This is no application of fetchApp().')
    return attach(app)
  },
}

const attach = ({ [mountable]: { base, table, clientAddress } }: MountableApp): Host => ({
  base,
  log: stderrLog,
  ...(clientAddress === nobodyKnows && { knowsAddresses: false }),
  serves: (method, path) =>
    path.startsWith(`${base}/`) && table.find(path.slice(base.length))?.methods.has(method) === true,
  routes: () => [],
  callOf: (request) =>
    isRequest(request) ? new FetchCall(request, readTarget(request.url), {}, clientAddress) : undefined,
  mount: async (operations, serve) => {
    for (const operation of operations) table.add({ operation, serve })
  },
  // A Request reads its form by itself, whatever its method.
  readForms: async () => undefined,
})
