import Fastify from 'fastify'
import { ModelRest } from '../../src/entry/fastify.ts'
import { ModelRest as FetchModelRest, fetchApp } from '../../src/entry/fetch.ts'
import type { ModelRestOptions } from '../../src/index.ts'
import { listen } from './listen.ts'
import { listenFetch } from './listen-fetch.ts'

/** Starts a service on a free port, on either host. */
export const listenOn = async (host: string | undefined, options: ModelRestOptions) => {
  if (host === 'fetch') {
    const app = fetchApp()
    await new FetchModelRest(app, options).init()
    return listenFetch(app)
  }
  const app = Fastify()
  await new ModelRest(app, options).init()
  return listen(app)
}
