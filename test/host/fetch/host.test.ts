import { fetchApp } from '../../../src/host/fetch/index.ts'
import { hostContract } from '../../contract/host.ts'
import { clientAddress, mountOn } from '../listen-fetch.ts'

hostContract(
  'fetch',
  async (base, operations, serve) => {
    const app = fetchApp({ base, clientAddress })
    return mountOn(app, operations, serve)
  },
  { keepsDotSegments: false },
)
