import { createServer } from 'node:http'
import type { INestApplication } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import express from 'express'
import { Hono } from 'hono'
import { ModelRest as ExpressModelRest, expressHost } from 'modelrest/express'
import { ModelRest as HonoModelRest } from 'modelrest/hono'
import { ModelRest as NestModelRest } from 'modelrest/nest'
import { ModelRest, nodeApp } from 'modelrest/node'
import { beforeAll, expect, test } from 'vitest'
import { listenHono } from '../host/hono/listen.ts'
import { listenNest } from '../host/nest/listen.ts'
import { listenNode } from '../host/node/listen.ts'
import { type ServeShop, scenarioBy, scenarioOn, served } from './stage.ts'

let onFastify: readonly string[]

beforeAll(async () => {
  onFastify = served(await scenarioOn({ database: ':memory:' }))
}, 120_000)

/** The members of Fastify's requests that the controllers of the shop use. */
const log = { info: () => undefined }

const onNode: ServeShop = async (options, base) => {
  const app = nodeApp({ base })
  await new ModelRest(app, options).init()
  return listenNode(createServer((request, response) => app(Object.assign(request, { log }), response)))
}

const onExpress: ServeShop = async (options, base) => {
  const app = express().disable('x-powered-by')
  app.use((request, _response, next) => {
    Object.assign(request, { log })
    next()
  })
  await new ExpressModelRest(expressHost(app, { base }), options).init()
  return listenNode(createServer(app))
}

const onHono: ServeShop = async (options, base) => {
  const app = new Hono()
  app.use(async (context, next) => {
    Object.assign(context, { log, headers: context.req.header() })
    await next()
  })
  await new HonoModelRest(base === '' ? app : app.basePath(base), options).init()
  return listenHono(app)
}

class EmptyModule {}

const onNest = async (
  app: INestApplication,
  options: Parameters<ServeShop>[0],
  base: string,
): ReturnType<ServeShop> => {
  app.setGlobalPrefix(base)
  await new NestModelRest(app, options).init()
  return listenNest(app)
}

const onNestExpress: ServeShop = async (options, base) => {
  const app = await NestFactory.create(EmptyModule, { bodyParser: false, logger: false })
  app.getHttpAdapter().getInstance().disable('x-powered-by')
  app.use((request: object, _response: unknown, next: () => void) => {
    Object.assign(request, { log })
    next()
  })
  return onNest(app, options, base)
}

const onNestFastify: ServeShop = async (options, base) =>
  onNest(await NestFactory.create(EmptyModule, new FastifyAdapter(), { logger: false }), options, base)

test.each([
  ['node:http', onNode],
  ['Express', onExpress],
  ['Hono', onHono],
  ['NestJS on Express', onNestExpress],
  ['NestJS on Fastify', onNestFastify],
])(
  '%s answers as Fastify does',
  async (_name, serve) => {
    expect(served(await scenarioBy(serve))).toEqual(onFastify)
  },
  120_000,
)
