import { fetchApp, fetchHost } from '../../src/host/fetch/index.ts'
import { hostContract } from '../contract/host.ts'
import { listenFetch } from './listen-fetch.ts'

hostContract(
  'fetch',
  async (base, operations, serve) => {
    const app = fetchApp({ base })
    await fetchHost.attach(app).mount(operations, serve)
    return listenFetch(app)
  },
  { keepsDotSegments: false },
)
