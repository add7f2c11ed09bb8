import Fastify from 'fastify'
import { hostContract } from '../../../src/testing/host/index.ts'
import { runner } from '../../runner.ts'
import { startFastify } from '../listen.ts'

hostContract(runner, {
  name: 'fastify, HTTP/2',
  protocol: 'http2',
  start: (given) => startFastify(given, Fastify({ http2: true })),
})
