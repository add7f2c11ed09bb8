/**
 * The act `count` of a cache, for Redis to run: nobody comes between its steps. Keys: the count. Arguments: how many to
 * add, and its seconds. A count that has no end, whoever made it, gets one.
 */
export const countScript = `
if tonumber(ARGV[1]) <= 0 and redis.call('EXISTS', KEYS[1]) == 0 then return {0, 0} end
local count = redis.call('INCRBY', KEYS[1], ARGV[1])
if count < 0 then count = redis.call('INCRBY', KEYS[1], string.format('%.0f', -count)) end
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  redis.call('EXPIRE', KEYS[1], ARGV[2])
  left = tonumber(ARGV[2]) * 1000
end
return {count, left}
`
