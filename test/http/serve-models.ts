import Fastify from 'fastify'
import { onTestFinished } from 'vitest'
import { type FastifyApp, ModelRest } from '../../src/entry/fastify.ts'
import type { ModelRestOptions } from '../../src/index.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A reply: its status, and its body as JSON. */
export type Told = readonly [number, unknown]

/** A service for the length of a test. */
export interface Served {
  readonly send: (method: Method, url: string, body?: object) => Promise<Told>
  readonly rest: ModelRest
  /** What the log says at info and above. */
  readonly lines: readonly string[]
}

/** Serves models without controllers, on Fastify. */
export const serveModels = async (
  models: unknown,
  options: Partial<ModelRestOptions> = {},
): Promise<Served> => {
  const lines: string[] = []
  const stream = { write: (line: string) => lines.push((JSON.parse(line) as { msg: string }).msg) }
  const app = Fastify({ logger: { level: 'info', stream } })
  onTestFinished(() => app.close())
  const rest = new ModelRest(app as unknown as FastifyApp, {
    ...{ models: models as ModelRestOptions['models'], controllers: [] },
    ...options,
  })
  await rest.init()
  const send = async (method: Method, url: string, body?: object): Promise<Told> => {
    const reply = await app.inject({ method, url, ...(body && { body }) })
    return [reply.statusCode, reply.body === '' ? undefined : reply.json()]
  }
  return { send, rest, lines }
}
