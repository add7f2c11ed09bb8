import { Hono } from 'hono'
import { honoHost } from '../../../src/host/hono/index.ts'
import { hostContract } from '../../../src/testing/host/index.ts'
import { runner } from '../../runner.ts'
import { listenHono } from './listen.ts'

hostContract(runner, {
  name: 'hono',
  start: async ({ base, mount }) => {
    const app = new Hono()
    await mount(honoHost(base === '' ? app : app.basePath(base)))
    return listenHono(app)
  },
  keepsDotSegments: false,
})

hostContract(runner, {
  name: 'a mounted application of hono',
  start: async ({ base, mount }) => {
    const app = new Hono()
    await mount(honoHost(app, { base }))
    return listenHono(base === '' ? app : new Hono().route(base, app))
  },
  keepsDotSegments: false,
})
