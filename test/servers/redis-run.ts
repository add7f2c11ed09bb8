import type { TestProject } from 'vitest/node'
import { isThere } from '../programs.ts'
import { startRedis } from './redis.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The URL of the Redis server of this run; undefined where its program is missing. */
    redis: string | undefined
  }
}

/** One Redis server for all test files of a run. */
export const setup = async (project: TestProject): Promise<(() => Promise<void>) | undefined> => {
  if (!isThere('redis')) return
  const server = await startRedis({ settings: { databases: '1000' } })
  project.provide('redis', server.url)
  return server.stop
}
