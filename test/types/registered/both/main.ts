// A program that imports two entries says which host its hooks are for.
import Fastify, { type FastifyRequest } from 'fastify'
import { controllerFor, ModelRest, type ModelSource } from 'modelrest/fastify'
import { ModelRest as FetchModelRest, fetchApp } from 'modelrest/fetch'
import type { Same } from '../../same.ts'

declare const models: ModelSource

declare module 'modelrest' {
  interface Register {
    request: FastifyRequest
  }
}

export const ProductController = controllerFor('Product', {
  beforeList(request) {
    const known: Same<typeof request, FastifyRequest> = true
    request.log.info(known ? request.ip : '')
  },
})

export const api: ModelRest = new ModelRest(Fastify(), { models })
export const inTests: ModelRest = new FetchModelRest(fetchApp(), { models })
