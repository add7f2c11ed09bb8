import { type CallHandler, type ExecutionContext, UseGuards, UseInterceptors } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { nestHost } from '../../../src/host/nest/index.ts'
import { hostContract } from '../../../src/testing/host/index.ts'
import { runner } from '../../runner.ts'
import { listenNest, stderrLogger } from './listen.ts'

class EmptyModule {}

const decorators = [
  UseGuards({ canActivate: async () => true }),
  UseInterceptors({ intercept: (_context: ExecutionContext, next: CallHandler) => next.handle() }),
]

hostContract(runner, {
  decodesPaths: false,
  name: 'nest on express, with a guard and an interceptor',
  start: async ({ base, mount }) => {
    const app = await NestFactory.create(EmptyModule, { bodyParser: false, logger: stderrLogger })
    app.getHttpAdapter().getInstance().disable('x-powered-by')
    await mount(nestHost(app, { base, decorators }))
    return listenNest(app)
  },
})
