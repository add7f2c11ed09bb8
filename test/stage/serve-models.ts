import { onTestFinished } from 'vitest'
import type { ModelRest, ModelRestOptions } from '../../src/index.ts'
import { type Entry, onFastify } from './apps.ts'
import type { TestDatabase } from './databases.ts'
import { type Method, senderTo } from './requests.ts'

/** A reply: its status, and its body as JSON. */
export type Told = readonly [number, unknown]

/** A service for the length of a test. */
export interface Served {
  readonly send: (method: Method, path: string, body?: object) => Promise<Told>
  readonly rest: ModelRest
  /** What the log says at info and above. */
  readonly lines: readonly string[]
  /** The same with their details, such as errors. */
  readonly entries: readonly Entry[]
}

/** Serves the models of a database without controllers, on Fastify. Both end with the test. */
export const serveModels = async (
  { models, close }: TestDatabase,
  options: Partial<ModelRestOptions> = {},
): Promise<Served> => {
  onTestFinished(close)
  const lines: string[] = []
  const entries: Entry[] = []
  const onEntry = (entry: Entry): void => {
    entries.push(entry)
    lines.push(entry.line)
  }
  const app = await onFastify({ models, controllers: [], ...options }, { base: '', onEntry })
  onTestFinished(app.stop)
  const send = senderTo(app)
  return {
    ...{ lines, entries, rest: app.rest },
    send: async (method, path, body) => {
      const { status, text, json } = await send(method, path, { body })
      return [status, text === '' ? undefined : json]
    },
  }
}
