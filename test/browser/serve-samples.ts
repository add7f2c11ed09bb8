import Fastify from 'fastify'
import { fastifyHost } from '../../src/host/fastify/index.ts'
import { serveWith } from '../../src/host/serve.ts'
import { toOpenApi } from '../../src/openapi/document.ts'
import { openApiOperations } from '../../src/openapi/operations.ts'
import { runSync } from '../../src/operation/run.ts'
import { samples } from '../openapi/samples.ts'

/** The hand-made operations and their documentation, behind a prefix, beside a route of the host's own. */
export const serveSamples = async (): Promise<{ url: string; close: () => Promise<void> }> => {
  const app = Fastify({ forceCloseConnections: true })
  const prefix = '/behind/api'
  app.register(
    async (api) => {
      const host = fastifyHost.attach(api)
      const document = () => toOpenApi(samples, { base: host.base, title: 'Shop' }, host.routes())
      await host.mount([...samples, ...openApiOperations(document)], serveWith(runSync))
      api.get('/hello', () => 'Hello.')
    },
    { prefix },
  )
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  return { url: origin + prefix, close: () => app.close() }
}
