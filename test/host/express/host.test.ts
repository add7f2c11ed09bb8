import { createServer, type RequestListener } from 'node:http'
import express from 'express'
// @ts-expect-error It has no types.
import express4 from 'express-4'
import { expressHost } from '../../../src/host/express/index.ts'
import { hostContract } from '../../../src/testing/host/index.ts'
import { runner } from '../../runner.ts'
import { listenNode } from '../node/listen.ts'

const listen = (app: RequestListener) => listenNode(createServer(app))

hostContract(runner, {
  decodesPaths: false,
  name: 'express',
  start: async ({ base, mount }) => {
    const app = express().disable('x-powered-by')
    await mount(expressHost(app, { base }))
    return listen(app)
  },
})

hostContract(runner, {
  decodesPaths: false,
  name: 'a nested router of express',
  start: async ({ base, mount }) => {
    const app = express().disable('x-powered-by')
    const outer = express.Router()
    const inner = express.Router()
    if (base === '') outer.use(inner)
    else outer.use(base, inner)
    app.use(outer)
    await mount(expressHost(inner, { base }))
    return listen(app)
  },
})

hostContract(runner, {
  decodesPaths: false,
  name: 'express 4',
  start: async ({ base, mount }) => {
    const app: ReturnType<typeof express> = express4().disable('x-powered-by')
    const router = express4.Router()
    if (base === '') app.use(router)
    else app.use(base, router)
    await mount(expressHost(router, { base }))
    return listen(app)
  },
})
