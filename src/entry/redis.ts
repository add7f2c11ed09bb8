export { type RedisCacheOptions, redisCache } from '../cache/redis.ts'
export type { IoRedis, NodeRedis, RedisClient } from '../cache/redis-clients.ts'
