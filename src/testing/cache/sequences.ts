import { type Cache, CacheError, type Counted } from '../../cache/cache.ts'
import { same } from '../suite/assertions.ts'
import { fastCheck } from '../suite/fast-check.ts'

/** In seconds: nothing expires during the test. */
const LONG = 1000

interface SequenceStep {
  readonly act: CacheAct
  readonly key: string
  readonly value: string
  readonly by: number
}

type CacheAct = 'get' | 'getMany' | 'set' | 'add' | 'count' | 'delete'

/** Asserts that any sequence of operations gives the same results as on a map. */
export const assertSequences = async (cache: Cache, newKey: () => string): Promise<void> => {
  const { array, assert, asyncProperty, constantFrom, integer, oneof, record, string } = await fastCheck()
  const step = record<SequenceStep>({
    act: constantFrom<CacheAct>('get', 'getMany', 'set', 'add', 'count', 'delete'),
    key: oneof(constantFrom('a', 'b', 'c'), string({ unit: 'binary', maxLength: 4 })),
    value: oneof(
      string({ unit: 'binary' }),
      integer({ min: -50, max: 50 }).map(String),
      constantFrom('-0', '+1', '01', ' 1', '1.0', '1e3', '0x1'),
    ),
    by: integer({ min: -20, max: 20 }),
  })
  const sequences = asyncProperty(array(step, { maxLength: 40 }), async (steps) => {
    const [prefix, map] = [newKey(), mapCache()]
    for (const one of steps) {
      const [result, expected] = [await resultOf(cache, prefix, one), await resultOf(map, prefix, one)]
      same(result, expected, `${one.act}() must return the same as on a map, which is the expected value.`)
    }
  })
  await assert(sequences, { numRuns: 60 })
}

/** The time that is left depends on the clock: only whether any is left is compared. */
const timeless = ({ count, left }: Counted) => ({ count, ends: left > 0 })

const acts: Readonly<Record<CacheAct, (cache: Cache, prefix: string, step: SequenceStep) => unknown>> = {
  get: (cache, prefix, { key }) => cache.get(prefix + key),
  getMany: (cache, prefix, { key }) =>
    cache.getMany([prefix + key, `${prefix}${key}x`, `${prefix}a`, prefix + key]),
  set: (cache, prefix, { key, value }) => cache.set(prefix + key, value, LONG),
  add: (cache, prefix, { key, value }) => cache.add(prefix + key, value, LONG),
  count: async (cache, prefix, { key, by }) => timeless(await cache.count(prefix + key, by, LONG)),
  delete: (cache, prefix, { key }) => cache.delete(prefix + key),
}

const resultOf = async (cache: Cache, prefix: string, step: SequenceStep): Promise<unknown> => {
  try {
    return await acts[step.act](cache, `${prefix}:`, step)
  } catch (error) {
    return error instanceof CacheError ? 'CacheError' : error
  }
}

/** A cache whose entries do not expire. */
const mapCache = (): Cache => {
  const held = new Map<string, string>()
  const set = (key: string, value: string): void => void held.set(key, value)
  return {
    get: (key) => held.get(key),
    getMany: (keys) => keys.map((key) => held.get(key)),
    set,
    add(key, value) {
      if (held.has(key)) return false
      set(key, value)
      return true
    },
    count(key, by) {
      if (by <= 0 && !held.has(key)) return { count: 0, left: 0 }
      const before = held.get(key) ?? '0'
      if (String(Math.trunc(Number(before))) !== before || before === '-0')
        throw new CacheError('The value is not an integer.')
      const count = Math.max(0, Number(before) + by)
      set(key, String(count))
      return { count, left: 1 }
    },
    delete: (key) => void held.delete(key),
  }
}
