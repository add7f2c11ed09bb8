// node bench/soak.ts [--minutes 10] [--rate 150]: two processes behind nginx, on PostgreSQL and Redis, at steady load.
// It fails where a reply is not the expected one, or memory is not flat. Build first: npm run build
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { demoUser } from '../examples/shop/demo-user.ts'
import { type Cluster, startCluster } from '../test/cluster/cluster.ts'
import { formOf, picture } from '../test/scenario/picture.ts'
import { startPostgres } from '../test/servers/postgres.ts'
import { startRedis } from '../test/servers/redis.ts'
import { median } from './measure.ts'

const { values: flags } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, rate: { type: 'string', default: '150' } },
})
const seconds = Number(flags.minutes) * 60
/** Rounds a second: each is a few requests. */
const rate = Number(flags.rate) / 8
/** Part of the time in which the compiler and the pools settle. */
const WARM_UP = 0.25
const SAMPLES = 120
const MOST_AT_ONCE = 32

/** Replies by what was asked and answered. */
const replies = new Map<string, number>()
const wrong: string[] = []
const took: number[] = []

/** Sends a request through the proxy, and notes where the answer is another. */
const expecting = async (
  status: number,
  base: string,
  path: string,
  { form, ...init }: Omit<RequestInit, 'body'> & { readonly form?: FormData } = {},
  json?: object,
): Promise<Record<string, unknown>> => {
  const begun = performance.now()
  const headers = { ...init.headers, ...(json && { 'content-type': 'application/json' }) }
  const content = form ?? (json === undefined ? undefined : JSON.stringify(json))
  const reply = await fetch(`${base}/${path}`, {
    ...init,
    headers,
    ...(content !== undefined && { body: content }),
  })
  const text = await reply.text()
  took.push(performance.now() - begun)
  const key = `${init.method ?? 'GET'} ${path.replaceAll(/\d+/g, 'N').split('?')[0]} ${reply.status}`
  replies.set(key, (replies.get(key) ?? 0) + 1)
  if (reply.status !== status) wrong.push(`${key}: ${text.slice(0, 300)}`)
  return text === '' || !text.startsWith('{') ? {} : JSON.parse(text)
}

/** What a visitor does: lists, reads, a record that is made, changed and deleted, and now and then a login and an image. */
const round = async ({ base }: Cluster, headers: Record<string, string>, number: number): Promise<void> => {
  const made = await expecting(
    201,
    base,
    'products/',
    { method: 'POST', headers },
    { name: 'Soak', price: '1.50' },
  )
  await expecting(200, base, `products/${made['id']}`, { headers })
  await expecting(200, base, `products/?q=name=lamp&price<${50 + (number % 100)}&sort=price&limit=20`, {
    headers,
  })
  await expecting(200, base, `orders/?limit=20&offset=${number % 500}`, { headers })
  await expecting(200, base, `products/${made['id']}`, { method: 'PATCH', headers }, { in_stock: false })
  await expecting(409, base, 'categories/', { method: 'POST', headers }, { name: 'Lighting' })
  await expecting(422, base, 'products/', { method: 'POST', headers }, { name: 'Soak', prize: 1 })
  await expecting(204, base, `products/${made['id']}`, { method: 'DELETE', headers })
  if (number % 10 === 0) {
    const { access } = await expecting(200, base, 'auth/login', { method: 'POST' }, demoUser)
    await expecting(204, base, 'auth/logout', {
      method: 'POST',
      headers: { authorization: `Bearer ${access}` },
    })
    const form = formOf({ name: `Soak ${number}` }, picture)
    const { id } = await expecting(201, base, 'categories/', { method: 'POST', headers, form })
    await expecting(204, base, `categories/${id}`, { method: 'DELETE', headers })
  }
}

/** Resident memory of a process, in MB. */
const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

const soak = async (cluster: Cluster): Promise<readonly (readonly number[])[]> => {
  const { access } = await expecting(200, cluster.base, 'auth/login', { method: 'POST' }, demoUser)
  const headers = { authorization: `Bearer ${access}` }
  const memory = cluster.processes.map((): number[] => [])
  const begun = performance.now()
  const under = new Set<Promise<void>>()
  let sampled = 0
  for (let number = 0; performance.now() - begun < seconds * 1000; number += 1) {
    const running = round(cluster, headers, number)
      .catch((error: unknown) => void wrong.push(`${error} ${String((error as Error).cause)}`))
      .finally(() => under.delete(running))
    under.add(running)
    // A machine that is too slow for the rate gets less, and no heap of rounds.
    if (under.size >= MOST_AT_ONCE) await Promise.race(under)
    const now = performance.now() - begun
    if (now >= (sampled * seconds * 1000) / SAMPLES) {
      sampled += 1
      for (const [place, { pid }] of cluster.processes.entries()) memory[place]?.push(memoryOf(pid))
    }
    await pause(Math.max(0, ((number + 1) / rate) * 1000 - now))
  }
  await Promise.all(under)
  return memory
}

const media = join(tmpdir(), `modelrest-soak-${process.pid}`)
const [postgres, redis] = await Promise.all([startPostgres(), startRedis()])
const cluster = await startCluster({
  DATABASE_URL: postgres.url,
  REDIS_URL: redis.url,
  SECRET_KEY: 'a secret that all processes of the shop have in common',
  MEDIA_ROOT: media,
  SEED_PRODUCTS: '2000',
  NODE_ENV: 'production',
})
try {
  const memory = await soak(cluster)
  const requests = [...replies.values()].reduce((sum, count) => sum + count, 0)
  const sorted = took.sort((one, other) => one - other)
  const at = (part: number): string => (sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(1)
  console.log(
    `${requests} requests in ${seconds} s, ${Math.round(requests / seconds)} a second, ${wrong.length} errors`,
  )
  console.log(`median ${at(0.5)} ms, 99 % within ${at(0.99)} ms, longest ${at(0.99999)} ms`)
  for (const text of wrong.slice(0, 10)) console.log(text)
  let isFlat = true
  for (const [place, samples] of memory.entries()) {
    const settled = samples.slice(Math.floor(samples.length * WARM_UP))
    const third = Math.max(1, Math.floor(settled.length / 3))
    const [before, after] = [median(settled.slice(0, third)), median(settled.slice(-third))]
    const change = (after / before - 1) * 100
    isFlat &&= change < 10
    const most = Math.max(...samples)
    console.log(
      `process ${place + 1}: ${before.toFixed(0)} MB after warm-up, ${after.toFixed(0)} MB at the end, ${change.toFixed(1)} %, at most ${most.toFixed(0)} MB`,
    )
  }
  if (wrong.length > 0 || !isFlat) process.exitCode = 1
} finally {
  await cluster.stop()
  await postgres.stop()
  await redis.stop()
  rmSync(media, { recursive: true, force: true })
}
