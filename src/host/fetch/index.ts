import { StartError } from '../../error/start-error.ts'
import { stderrLog } from '../../observe/stderr-log.ts'
import type { Host, HostAdapter } from '../host.ts'
import { type MountableApp, mountable } from './app.ts'

export { type FetchApp, type FetchAppOptions, fetchApp } from './app.ts'

const isFetchApp = (app: unknown): app is MountableApp =>
  typeof app === 'object' && app !== null && mountable in app

/** Serves operations through an application of `fetchApp()`. It has no routes of its own. */
export const fetchHost: HostAdapter = {
  name: 'an application of fetchApp()',
  accepts: isFetchApp,
  attach: (app) => {
    if (!isFetchApp(app)) throw new StartError('This is no application of fetchApp().')
    return attach(app)
  },
}

const attach = ({ [mountable]: { base, table } }: MountableApp): Host => ({
  base,
  log: stderrLog,
  serves: (method, path) =>
    path.startsWith(`${base}/`) && table.find(path.slice(base.length))?.methods.has(method) === true,
  routes: () => [],
  mount: async (operations, serve) => {
    for (const operation of operations) table.add({ operation, serve })
  },
})
