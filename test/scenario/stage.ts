import { randomInt } from 'node:crypto'
import Fastify from 'fastify'
import type { ModelRestOptions } from 'modelrest'
import { ModelRest } from 'modelrest/fastify'
import { inject } from 'vitest'
import { baseUrl, buildShop, openShop, type ShopOptions, shopModels } from '../../examples/shop/app.ts'
import { addDemoUser } from '../../examples/shop/demo-user.ts'
import { scenario } from './scenario.ts'

const secret = 'a secret that all processes of the shop have in common'

/** A database in the Redis of this run, because each scenario has failed logins, which are limited. */
export const redisOfItsOwn = (): { readonly redis?: string } => {
  const url = inject('redis')
  return url === undefined ? {} : { redis: `${url}/${randomInt(16, 1000)}` }
}

/** Runs the scenario over HTTP against a new shop on a database, with cursor pages beside it. */
export const scenarioOn = async (
  options: Pick<ShopOptions, 'database' | 'replicaLag'>,
  pages: 'cursors' | 'no cursors' = 'cursors',
): Promise<readonly string[]> => {
  const shop = await buildShop({ ...options, products: 100, secret, ...redisOfItsOwn() })
  const cursors = Fastify()
  try {
    await addDemoUser(shop.db)
    const origin = await shop.app.listen({ host: '127.0.0.1', port: 0 })
    if (pages === 'no cursors') return await scenario(`${origin}${baseUrl}`)
    await new ModelRest(cursors, {
      models: shopModels(shop.db, options.replicaLag),
      paginationType: 'cursor',
      controllers: [],
      settings: { SECRET_KEY: secret },
    }).init()
    return await scenario(`${origin}${baseUrl}`, await cursors.listen({ host: '127.0.0.1', port: 0 }))
  } finally {
    await cursors.close()
    await shop.app.close()
  }
}

/** Starts a server with an API below a path. */
export type ServeShop = (
  options: ModelRestOptions,
  base: string,
) => Promise<{ readonly port: number; stop(): unknown }>

/** Runs the scenario against a new shop on SQLite, served by another host than that of the example. */
export const scenarioBy = async (serve: ServeShop): Promise<readonly string[]> => {
  const { db, given, close } = await openShop({
    ...{ database: ':memory:', products: 100, secret },
    ...redisOfItsOwn(),
  })
  const servers = []
  try {
    await addDemoUser(db)
    const shop = await serve(given, baseUrl)
    servers.push(shop)
    const cursors = await serve(
      {
        models: shopModels(db),
        paginationType: 'cursor',
        controllers: [],
        settings: { SECRET_KEY: secret },
      },
      '',
    )
    servers.push(cursors)
    return await scenario(`http://127.0.0.1:${shop.port}${baseUrl}`, `http://127.0.0.1:${cursors.port}`)
  } finally {
    for (const { stop } of servers) await stop()
    await close()
  }
}

/** Each server has its own response to paths that modelrest does not serve. */
export const served = (lines: readonly string[]): readonly string[] =>
  lines.map((line) =>
    /^GET (nothing\/|undefined) 404/.test(line) ? line.slice(0, line.indexOf('\n')) : line,
  )
