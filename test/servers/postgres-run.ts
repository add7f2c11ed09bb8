import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres.ts'
import { postgresPrograms } from './postgres-programs.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The URL of the PostgreSQL server of this run; undefined where its programs are missing. */
    postgres: string | undefined
  }
}

/** One PostgreSQL server for all test files of a run. */
export const setup = async (project: TestProject): Promise<(() => Promise<void>) | undefined> => {
  if (postgresPrograms() === undefined) return
  const server = await startPostgres()
  project.provide('postgres', server.url)
  return server.stop
}
