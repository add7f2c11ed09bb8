import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import type { Hono } from 'hono'
import { listenNode } from '../node/listen.ts'

const { Request, Response } = globalThis

/** Starts an application of Hono on a free port. Until it stops, the globals are those of Hono's server, as users have them. */
export const listenHono = async ({ fetch }: Pick<Hono, 'fetch'>) => {
  const { port, stop } = await listenNode(createAdaptorServer({ fetch }) as Server)
  return {
    port,
    stop: async () => {
      await stop()
      Object.assign(globalThis, { Request, Response })
    },
  }
}
