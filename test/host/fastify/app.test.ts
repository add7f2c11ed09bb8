import { createServer } from 'node:http'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyTypeProvider } from 'fastify'
import { expect, expectTypeOf, it } from 'vitest'
import { StartError } from '../../../src/error/errors.ts'
import { type FastifyApp, fastifyHost } from '../../../src/host/fastify/index.ts'
import { naming } from '../../naming.ts'

interface OtherLogger extends FastifyBaseLogger {
  readonly shout: (line: string) => void
}

interface OtherTypes extends FastifyTypeProvider {
  readonly validator: 'other'
  readonly serializer: 'other'
}

it('takes any Fastify application without a cast', () => {
  expectTypeOf<FastifyInstance>().toExtend<FastifyApp>()
  const plain = Fastify()
  const http2 = Fastify({ http2: true })
  const logged = Fastify({ loggerInstance: plain.log as OtherLogger })
  const typed = plain.withTypeProvider<OtherTypes>()
  const own = Fastify({ serverFactory: (listener) => createServer(listener) })
  expectTypeOf(http2).toExtend<FastifyApp>()
  expectTypeOf(logged).toExtend<FastifyApp>()
  expectTypeOf(typed).toExtend<FastifyApp>()
  expectTypeOf(own).toExtend<FastifyApp>()
  expectTypeOf<{ readonly prefix: string }>().not.toExtend<FastifyApp>()
  for (const app of [plain, http2, logged, typed, own]) expect(fastifyHost.accepts(app)).toBe(true)
})

it.each([undefined, null, 1, 'fastify', {}, { register() {}, route() {} }, () => undefined])(
  'does not take %o for a Fastify application',
  (app) => {
    expect(fastifyHost.accepts(app)).toBe(false)
    expect(() => fastifyHost.attach(app)).toThrow(StartError)
    expect(() => fastifyHost.attach(app)).toThrow(naming('Fastify'))
  },
)
