import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { createClient } from 'redis'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CacheError } from '../../src/cache/cache.ts'
import { type RedisClient, redisCache } from '../../src/cache/redis.ts'
import { type RedisServer, startRedis } from '../servers/redis.ts'
import { onRedis } from '../servers/test-redis.ts'

/** A client as an application would have it: it never gives up, and keeps commands while it has no connection. */
type Connect = (socket: string) => { readonly client: RedisClient; close(): void }

const clients: Readonly<Record<string, Connect>> = {
  redis(path) {
    const client = createClient({ socket: { path, reconnectStrategy: 50 } })
    client.on('error', () => undefined)
    void client.connect().catch(() => undefined)
    return { client, close: () => client.destroy() }
  },
  ioredis(path) {
    const client = new Redis(path, { retryStrategy: () => 50, maxRetriesPerRequest: null })
    client.on('error', () => undefined)
    return { client, close: () => client.disconnect() }
  },
}

onRedis('a Redis that goes away', () => {
  // A second server in the same folder has the same socket, whoever took the port of the first in between.
  let folder = ''
  let server: RedisServer | undefined
  const start = async (): Promise<void> => {
    server = await startRedis({ folder })
  }
  const kill = (): Promise<void> | undefined => server?.stop()
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'modelrest-redis-'))
  })
  afterEach(async () => {
    await kill()
    rmSync(folder, { recursive: true, force: true })
  })

  describe.each(Object.entries(clients))('a client of %s', (_, connect) => {
    const opened: { close(): void }[] = []
    afterEach(() => {
      for (const one of opened.splice(0)) one.close()
    })
    const cacheWith = (timeout: number) => {
      const { client, close } = connect(join(folder, 'redis.sock'))
      opened.push({ close })
      return redisCache(client, { timeout })
    }

    test('ends every act with a CacheError, and works again when it is back', async () => {
      await start()
      const cache = cacheWith(300)
      await expect.poll(() => settled(cache.add('before', 'x', 100))).toBe('fulfilled')
      await kill()
      const acts = [
        () => cache.get('a'),
        () => cache.getMany(['a', 'b']),
        () => cache.set('a', '1', 100),
        () => cache.add('a', '1', 100),
        () => cache.count('a', 1, 100),
        () => cache.delete('a'),
      ]
      for (const act of acts) await expect(act()).rejects.toThrow(CacheError)
      await Promise.all(acts.map((act) => expect(act()).rejects.toThrow(CacheError)))
      await start()
      await expect.poll(() => settled(cache.set('back', 'yes', 100)), { timeout: 30_000 }).toBe('fulfilled')
      expect(await cache.get('back')).toBe('yes')
    })

    test('what was given up while it was away is never run', async () => {
      await start()
      const cache = cacheWith(200)
      await expect.poll(() => settled(cache.get('x'))).toBe('fulfilled')
      await kill()
      // The connection is known to be gone as soon as an act has waited for it in vain.
      await expect(cache.get('x')).rejects.toThrow(CacheError)
      await expect(cache.add('late', 'x', 100)).rejects.toThrow(CacheError)
      await expect(cache.count('late count', 1, 100)).rejects.toThrow(CacheError)
      await start()
      await expect.poll(() => settled(cache.set('back', 'yes', 100)), { timeout: 30_000 }).toBe('fulfilled')
      expect(await cache.getMany(['late', 'late count'])).toEqual([undefined, undefined])
    })

    test('an act that is asked for while it connects waits for the connection', async () => {
      await start()
      expect(await cacheWith(30_000).add('first', 'x', 100)).toBe(true)
    })

    test('an act that is asked for while it is away is run when it is back in time', async () => {
      await start()
      const cache = cacheWith(30_000)
      await cache.set('before', 'x', 100)
      await kill()
      const acts = Promise.all([cache.set('a', '1', 100), cache.set('b', '2', 100)]).catch(() =>
        // The first may have been on its way when the connection broke.
        Promise.all([cache.set('a', '1', 100), cache.set('b', '2', 100)]),
      )
      await start()
      await acts
      expect(await cache.getMany(['a', 'b'])).toEqual(['1', '2'])
    })

    test('a server that hangs is no answer either', async () => {
      await start()
      const cache = cacheWith(300)
      await expect.poll(() => settled(cache.get('x'))).toBe('fulfilled')
      process.kill(server?.pid ?? 0, 'SIGSTOP')
      await expect(cache.get('x')).rejects.toThrow(CacheError)
      process.kill(server?.pid ?? 0, 'SIGCONT')
      await expect.poll(() => settled(cache.get('x')), { timeout: 30_000 }).toBe('fulfilled')
    })

    test('a client that was closed fails at once, and tells nothing of the driver', async () => {
      await start()
      const { client, close } = connect(join(folder, 'redis.sock'))
      const cache = redisCache(client, { timeout: 60_000 })
      await cache.get('x')
      close()
      const error = await failure(() => cache.get('x'))
      expect(error).toBeInstanceOf(CacheError)
      const { message, cause } = error as CacheError
      expect(cause).toBeInstanceOf(Error)
      expect(message).not.toContain((cause as Error).message)
    })
  })
})

const failure = async (act: () => unknown): Promise<unknown> => {
  try {
    return await act()
  } catch (error) {
    return error
  }
}

const settled = async (act: unknown): Promise<string> => {
  const [outcome] = await Promise.allSettled([act])
  return outcome?.status ?? 'none'
}
