// Hooks receive the request of Express.
import express, { type Request } from 'express'
import { controllerFor, expressHost, ModelRest } from 'modelrest/express'
import { memorySource } from 'modelrest/testing'
import type { Same } from '../../same.ts'

export const TaskController = controllerFor('Task', {
  scope: (request) => {
    const known: Same<typeof request, Request> = true
    return known ? { owner: request.ip ?? '' } : {}
  },
})

const models = memorySource([])
const app = express()
export const rests: readonly ModelRest[] = [
  new ModelRest(app, { models }),
  new ModelRest(express.Router(), { models }),
  new ModelRest(expressHost(app, { base: '/api' }), { models }),
]

// @ts-expect-error It is not an application.
new ModelRest({}, { models })
