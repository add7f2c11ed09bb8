import { redisCache } from 'modelrest/redis'
import { createClient } from 'redis'

/** Stores revoked tokens and failed-login counters in Redis, for all processes. */
export const openSessions = async (url: string) => {
  const client = createClient({ url })
  // The client reconnects by itself. Until then, requests that need Redis get a 503.
  client.on('error', () => undefined)
  await client.connect()
  return {
    settings: { cache: redisCache(client, { prefix: 'shop:' }), auth: { stateful: true } },
    close: () => client.close(),
  }
}
