import { redisCache } from 'modelrest/redis'
import { createClient } from 'redis'

/** Where it is kept which tokens are revoked and how many logins failed: in Redis, for all processes. */
export const openSessions = async (url: string) => {
  const client = createClient({ url })
  // It connects again by itself. Meanwhile those who need it are answered with 503.
  client.on('error', () => undefined)
  await client.connect()
  return {
    settings: { CACHE: redisCache(client, { prefix: 'shop:' }), SERVICE_AUTH: { STATEFUL: true } },
    close: () => client.close(),
  }
}
