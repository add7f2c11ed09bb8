// Hooks receive the request of Node.js, and the application is a handler of its servers.
import { createServer } from 'node:http'
import { createSecureServer } from 'node:http2'
import { createServer as createHttpsServer } from 'node:https'
import { controllerFor, ModelRest, type NodeRequest, nodeApp } from 'modelrest/node'
import { memorySource } from 'modelrest/testing'
import type { Same } from '../../same.ts'

export const TaskController = controllerFor('Task', {
  scope: (request) => {
    const known: Same<typeof request, NodeRequest> = true
    return known ? { owner: request.headers.host ?? '' } : {}
  },
})

const app = nodeApp({ base: '/api' })
export const rest: ModelRest = new ModelRest(app, { models: memorySource([]) })
export const servers: readonly object[] = [
  createServer(app).on('checkContinue', app.checkContinue),
  createHttpsServer(app),
  createSecureServer({ allowHTTP1: true }, app),
]
