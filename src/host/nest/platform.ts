import type { ServerResponse } from 'node:http'
import type { AbstractHttpAdapter } from '@nestjs/core'
import type { Application, Request } from 'express'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { StartError } from '../../error/errors.ts'
import type { Reply } from '../../operation/call.ts'
import type { Operation } from '../../operation/operation.ts'
import { mountable } from '../express/index.ts'
import { respond } from '../fastify/handlers.ts'
import { fastifyHost } from '../fastify/index.ts'
import type { Host } from '../host.ts'
import { sendToNode } from '../node/response.ts'
import type { Serve } from '../serve.ts'

/** A request with its response, as guards of the platform see it. */
export interface Exchange {
  /** The `Response` of Express, or the `FastifyReply`. */
  readonly response: object
  readonly raw: ServerResponse
  /** Passes an error to the exception layer of Nest. */
  fail(error: unknown): void
}

/** The server below an application of Nest, with a base path. */
export interface Platform
  extends Omit<Host, 'base' | 'log' | 'mount' | 'problems' | 'knowsAddresses' | 'reportsSent'> {
  /** @param isEnhanced whether `exchangeOf` is called for its requests */
  mount(operations: readonly Operation[], serve: Serve, isEnhanced: boolean): void | Promise<void>
  exchangeOf(request: unknown): Exchange
  send(request: unknown, response: unknown, reply: Reply): void
}

/**
 * Prepares the server of an application. On Fastify, this must happen before Nest declares routes, which the documentation shows.
 *
 * @returns a function that throws a StartError for a server other than Express and Fastify
 */
export const platformOf = (adapter: AbstractHttpAdapter): ((base: string) => Platform) => {
  const type = adapter.getType()
  if (type === 'express') return (base) => onExpress(adapter.getInstance(), base)
  if (type === 'fastify') return onFastify(adapter.getInstance())
  return () => {
    throw new StartError(
      `modelrest/nest serves applications on Express and Fastify, not on ${JSON.stringify(type)}.`,
    )
  }
}

const onExpress = (app: Application, base: string): Platform => {
  const { mount, ...members } = mountable(app, base, remedy)
  return {
    ...members,
    mount: (operations, serve) => void mount(operations, serve),
    exchangeOf: (request) => {
      const { res, next } = request as Request
      if (res === undefined || next === undefined)
        throw new Error('Express has not given the request a response.')
      return { response: res, raw: res, fail: next }
    },
    send: (request, response, reply) =>
      sendToNode(request as Request, response as NonNullable<Request['res']>, reply),
  }
}

/** Nest itself never mounts an application below a path. */
const remedy = (path: string): string => `Mount the application at the root instead of ${path}.`

const keyOf = ({ method, path }: Operation): string => `${method} ${path}`

/** A request of Fastify does not refer to its `FastifyReply`. */
const REPLY: unique symbol = Symbol('modelrest.reply')

type Replying = FastifyRequest & { [REPLY]?: FastifyReply }

const onFastify = (app: FastifyInstance): ((base: string) => Platform) => {
  const { headOf, operationOf, serves, routes, beforeStart } = fastifyHost.attach(app)
  const served = new Set<string>()
  return (base) => ({
    ...{ headOf, operationOf, serves, routes, beforeStart },
    // Nest has declared the routes of controllers, so there is nothing to wait for.
    replaced: (operations) =>
      operations.filter((one) => !served.has(keyOf(one)) && serves(one.method, base + one.path)),
    mount: (operations, serve, isEnhanced) => {
      for (const operation of operations) served.add(keyOf(operation))
      const plugin = async (context: FastifyInstance): Promise<void> => {
        if (isEnhanced)
          context.addHook('onRequest', (request: Replying, reply, done) => {
            request[REPLY] = reply
            done()
          })
        await fastifyHost.attach(context).mount(operations, serve)
      }
      // Not awaited: Fastify would give the routes of controllers its error handler before Nest sets its own.
      app.register(plugin, { prefix: base })
    },
    exchangeOf: (request) => {
      const { [REPLY]: reply } = request as Replying
      if (reply === undefined) throw new Error('The onRequest hook of this route did not run.')
      return {
        response: reply,
        raw: reply.raw,
        fail: (error) => {
          // Not `reply.send(error)`, because the routes of modelrest have an error handler of their own.
          const failed = async () =>
            app.errorHandler(
              error as Parameters<typeof app.errorHandler>[0],
              request as FastifyRequest,
              reply,
            )
          failed().catch((again: unknown) => {
            if (!reply.sent) reply.send(again)
          })
        },
      }
    },
    send: (request, response, reply) => respond(request as FastifyRequest, response as FastifyReply, reply),
  })
}
