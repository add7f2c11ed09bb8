import { hostContract } from '../../contract/host.ts'
import { mountOnFastify } from '../listen.ts'

hostContract('fastify', mountOnFastify, { keepsDotSegments: true })
