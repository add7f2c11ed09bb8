import type { INestApplication } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import { nestHost } from '../../../src/host/nest/index.ts'
import { hostContract } from '../../../src/testing/host/index.ts'
import { runner } from '../../runner.ts'
import { listenNest, stderrLogger } from './listen.ts'

class EmptyModule {}

const started = async (app: INestApplication, base: string, mount: (app: object) => unknown) => {
  app.setGlobalPrefix(base)
  await mount(nestHost(app))
  return listenNest(app)
}

hostContract(runner, {
  decodesPaths: false,
  name: 'nest on express',
  start: async ({ base, mount }) => {
    const app = await NestFactory.create(EmptyModule, { bodyParser: false, logger: stderrLogger })
    app.getHttpAdapter().getInstance().disable('x-powered-by')
    return started(app, base, mount)
  },
})

hostContract(runner, {
  name: 'nest on fastify',
  start: async ({ base, mount }) =>
    started(
      await NestFactory.create(EmptyModule, new FastifyAdapter(), { logger: stderrLogger }),
      base,
      mount,
    ),
})
