// Hooks receive the context of Hono, and applications may have any types.
import { type Context, Hono } from 'hono'
import { controllerFor, honoHost, ModelRest } from 'modelrest/hono'
import { memorySource } from 'modelrest/testing'
import type { Same } from '../../same.ts'

export const TaskController = controllerFor('Task', {
  scope: (request) => {
    const known: Same<typeof request, Context> = true
    return known ? { owner: request.req.header('x-owner') ?? '' } : {}
  },
})

const models = memorySource([])
const app = new Hono<{ Bindings: { KEY: string }; Variables: { user: string } }>()
  .basePath('/api')
  .get('/own', (context) => context.text(context.var.user))
export const rests: readonly ModelRest[] = [
  new ModelRest(app, { models }),
  new ModelRest(new Hono(), { models }),
  new ModelRest(honoHost(app, { clientAddress: ({ req }) => req.header('x-real-ip') }), { models }),
]

// @ts-expect-error It is not an application.
new ModelRest({}, { models })
