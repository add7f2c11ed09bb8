import type { TestProject } from 'vitest/node'
import { mariaDbPrograms, startMariaDb } from './mariadb.ts'
import { onDemand } from './on-demand.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the MariaDB server of this run is asked for; undefined where its programs are missing. */
    mariadb: string | undefined
  }
}

/** One MariaDB server for all test files of a run that need it. */
export const setup = async (project: TestProject): Promise<(() => Promise<void>) | undefined> => {
  if (mariaDbPrograms() === undefined) return
  const server = await onDemand(startMariaDb)
  project.provide('mariadb', server.address)
  return server.stop
}
