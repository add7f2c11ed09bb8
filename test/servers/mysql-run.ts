import type { TestProject } from 'vitest/node'
import { isThere } from '../programs.ts'
import { startMariaDb } from './mariadb.ts'
import { startMySql } from './mysql.ts'
import { onDemand } from './on-demand.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the MariaDB server of this run is asked for; undefined where its programs are missing. */
    mariadb: string | undefined
    /** The same, of MySQL. */
    mysql: string | undefined
  }
}

/** One server of MariaDB and one of MySQL for all test files of a run that need them. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const mariadb = isThere('mariadb') ? await onDemand(startMariaDb) : undefined
  const mysql = isThere('mysql') ? await onDemand(startMySql) : undefined
  project.provide('mariadb', mariadb?.address)
  project.provide('mysql', mysql?.address)
  return async () => {
    await mariadb?.stop()
    await mysql?.stop()
  }
}
