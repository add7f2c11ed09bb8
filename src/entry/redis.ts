export type { IoRedis, NodeRedis, RedisClient } from '../cache/redis.ts'
export { type RedisCacheOptions, redisCache } from '../cache/redis.ts'
