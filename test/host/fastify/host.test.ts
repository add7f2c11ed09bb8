import { hostContract } from '../../../src/testing/host/index.ts'
import { runner } from '../../runner.ts'
import { startFastify } from '../listen.ts'

hostContract(runner, { name: 'fastify', start: (given) => startFastify(given) })
