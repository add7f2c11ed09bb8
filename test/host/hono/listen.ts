import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import type { Hono } from 'hono'
import { listenNode } from '../node/listen.ts'

/** Starts an application of Hono on a free port. */
export const listenHono = ({ fetch }: Pick<Hono, 'fetch'>) =>
  listenNode(createAdaptorServer({ fetch }) as Server)
