// Hooks receive what the requests of Express and Fastify have in common, and a factory has the types of its providers.
import type { INestApplication } from '@nestjs/common'
import { controllerFor, ModelRest, ModelRestModule, type NestRequest, nestHost } from 'modelrest/nest'
import { memorySource } from 'modelrest/testing'
import type { Same } from '../../same.ts'

export const TaskController = controllerFor('Task', {
  scope: (request) => {
    const known: Same<typeof request, NestRequest> = true
    return known ? { owner: request.ip ?? '' } : {}
  },
})

const models = memorySource([])

class Database {
  readonly models = models
}

export const modules: readonly object[] = [
  ModelRestModule.forRoot({ models, base: '/v1', controllers: [TaskController] }),
  ModelRestModule.forRootAsync({
    inject: [Database],
    useFactory: async (database: Database) => ({ models: database.models }),
  }),
]

// @ts-expect-error A factory returns the models.
ModelRestModule.forRootAsync({ useFactory: () => ({ base: '/v1' }) })

// @ts-expect-error Unknown option.
ModelRestModule.forRoot({ models, colour: 1 })

export const rests = (app: INestApplication): readonly ModelRest[] => [
  new ModelRest(app, { models }),
  new ModelRest(nestHost(app, { base: '/v2' }), { models }),
]

// @ts-expect-error It is not an application.
new ModelRest({}, { models })
