import { fetchApp, fetchHost } from '../../../src/host/fetch/index.ts'
import { hostContract } from '../../contract/host.ts'
import { clientAddress, listenFetch } from '../listen-fetch.ts'

hostContract(
  'fetch',
  async (base, operations, serve) => {
    const app = fetchApp({ base, clientAddress })
    const host = fetchHost.attach(app)
    await host.mount(operations, serve)
    return { host, ...(await listenFetch(app)) }
  },
  { keepsDotSegments: false },
)
