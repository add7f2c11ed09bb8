import { fetchApp } from '../../../src/host/fetch/index.ts'
import { hostContract } from '../../../src/testing/host/index.ts'
import { runner } from '../../runner.ts'
import { clientAddress, listenFetch } from '../listen-fetch.ts'

hostContract(runner, {
  name: 'fetch',
  start: async ({ base, mount }) => {
    const app = fetchApp({ base, clientAddress })
    await mount(app)
    return listenFetch(app)
  },
  keepsDotSegments: false,
})
