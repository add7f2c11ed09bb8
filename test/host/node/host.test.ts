import { hostContract } from '../../contract/host.ts'
import { hostStreamContract } from '../../contract/host-streams.ts'
import { mountOnNode } from './listen.ts'

hostContract('node:http', mountOnNode, { keepsDotSegments: true })
hostStreamContract('node:http', mountOnNode)
