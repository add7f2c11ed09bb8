// Every Fastify that a user may have is taken as `app`, without a cast.
import { createServer } from 'node:http'
import type { JsonSchemaToTsProvider } from '@fastify/type-provider-json-schema-to-ts'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyPluginAsync } from 'fastify'
import type { ModelSource } from 'modelrest'
import { ModelRest } from 'modelrest/fastify'
import { pino } from 'pino'

declare const models: ModelSource
declare const tls: { readonly key: string; readonly cert: string }

class Lines implements FastifyBaseLogger {
  level = 'info'
  readonly written: unknown[] = []
  fatal(...line: unknown[]): void {
    this.written.push(line)
  }
  error = this.fatal
  warn = this.fatal
  info = this.fatal
  debug = this.fatal
  trace = this.fatal
  silent = this.fatal
  child(): Lines {
    return this
  }
}

export const plain: ModelRest = new ModelRest(Fastify(), { models })
export const logging: ModelRest = new ModelRest(Fastify({ logger: true }), { models })
export const withPino: ModelRest = new ModelRest(Fastify({ loggerInstance: pino() }), { models })
export const withLogger: ModelRest = new ModelRest(Fastify({ loggerInstance: new Lines() }), { models })
export const onHttps: ModelRest = new ModelRest(Fastify({ https: tls }), { models })
export const onHttp2: ModelRest = new ModelRest(Fastify({ http2: true }), { models })
export const onHttp2Tls: ModelRest = new ModelRest(Fastify({ http2: true, https: tls }), { models })
export const onOwnServer: ModelRest = new ModelRest(
  Fastify({ serverFactory: (handler) => createServer(handler) }),
  { models },
)
export const withProvider: ModelRest = new ModelRest(Fastify().withTypeProvider<JsonSchemaToTsProvider>(), {
  models,
})
export const withAll: ModelRest = new ModelRest(
  Fastify({ http2: true, https: tls, loggerInstance: pino() }).withTypeProvider<JsonSchemaToTsProvider>(),
  { models },
)

export const plugin: FastifyPluginAsync = async (api) => {
  await new ModelRest(api, { models }).init()
}
export const mounted: FastifyInstance = Fastify()
mounted.register(plugin, { prefix: '/api' })
mounted.register(async (api) => new ModelRest(api, { models }).init(), { prefix: '/v2' })

// @ts-expect-error A server is no Fastify.
export const onHttp = new ModelRest(createServer(), { models })
// @ts-expect-error A promise of one neither.
export const onPromise = new ModelRest(Promise.resolve(Fastify()), { models })
// @ts-expect-error The models are missing.
export const withoutModels = new ModelRest(Fastify(), {})
// @ts-expect-error There is no such option.
export const misspelt = new ModelRest(Fastify(), { models, is_async: true })
