// Serves one side of the comparison: node bench/hosts-serve.ts <host> <ours|by-hand> <file>
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import express from 'express'
import { Hono } from 'hono'
import { expressHost } from 'modelrest/express'
import { fetchApp } from 'modelrest/fetch'
import { ModelRest } from 'modelrest/host'
import { nodeApp } from 'modelrest/node'
import { onExpress, onFetch, onHono, onNode } from './hosts-by-hand.ts'
import { nestByHand, nestOurs } from './hosts-nest.ts'
import { answerWithCpu, say } from './messages.ts'
import { open as openByHand } from './sides/by-hand.ts'
import { modelsOf, open as openOurs } from './sides/modelrest.ts'

/** Returns the origin. */
type Start = (file: string) => Promise<string>

const started = async (server: Server): Promise<string> => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
const onListener = (listener: RequestListener): Promise<string> => started(createServer(listener))
const onRequests = (fetch: (request: Request) => Response | Promise<Response>): Promise<string> =>
  started(createAdaptorServer({ fetch }) as Server)

const mounted = async <App extends object>(file: string, app: App): Promise<App> => {
  await new ModelRest(app, { models: modelsOf('sqlite', file), controllers: [] }).init()
  return app
}

/** Ours, and the same routes by hand. A host whose own server takes a `Request` runs on that of Hono. */
const hosts: Readonly<Record<string, Readonly<Record<'ours' | 'by-hand', Start>>>> = {
  fastify: {
    ours: async (file) => (await openOurs('sqlite', file)).origin,
    'by-hand': async (file) => (await openByHand('sqlite', file)).origin,
  },
  node: {
    ours: async (file) => onListener(await mounted(file, nodeApp({ base: '/api' }))),
    'by-hand': (file) => onListener(onNode(file)),
  },
  express: {
    ours: async (file) => {
      const app = express().disable('x-powered-by')
      await mounted(file, expressHost(app, { base: '/api' }))
      return onListener(app)
    },
    'by-hand': (file) => onListener(onExpress(file)),
  },
  hono: {
    ours: async (file) => {
      const app = new Hono()
      await mounted(file, app.basePath('/api'))
      return onRequests(app.fetch)
    },
    'by-hand': (file) => onRequests(onHono(file).fetch),
  },
  fetch: {
    ours: async (file) => onRequests((await mounted(file, fetchApp({ base: '/api' }))).fetch),
    'by-hand': (file) => onRequests(onFetch(file)),
  },
  'nest-express': { ours: nestOurs('express'), 'by-hand': nestByHand('express') },
  'nest-fastify': { ours: nestOurs('fastify'), 'by-hand': nestByHand('fastify') },
}

const [host = '', side = '', file = ''] = process.argv.slice(2)
const start = hosts[host]?.[side === 'ours' ? 'ours' : 'by-hand']
if (start === undefined) throw new Error(`There is no host ${host}.`)
say({ origin: await start(file) })
answerWithCpu()
