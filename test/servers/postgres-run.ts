import type { TestProject } from 'vitest/node'
import { isThere } from '../programs.ts'
import { onDemand } from './on-demand.ts'
import { startPostgres } from './postgres.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the PostgreSQL server of this run is asked for; undefined where its programs are missing. */
    postgres: string | undefined
  }
}

/** One PostgreSQL server for all test files of a run that need it. */
export const setup = async (project: TestProject): Promise<(() => Promise<void>) | undefined> => {
  if (!isThere('postgres')) return
  const server = await onDemand(startPostgres)
  project.provide('postgres', server.address)
  return server.stop
}
