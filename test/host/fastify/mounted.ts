import type { FastifyInstance } from 'fastify'
import { fastifyHost } from '../../../src/host/fastify/index.ts'
import { serveWith } from '../../../src/host/serve.ts'
import { runAsync } from '../../../src/operation/steps.ts'
import { operations } from '../../../src/testing/host/operations.ts'

/** Mounts the synthetic operations on an application. */
export const mount = async (app: Pick<FastifyInstance, 'prefix'>) => {
  const host = fastifyHost.attach(app)
  await host.mount(operations, serveWith(runAsync))
  return host
}
