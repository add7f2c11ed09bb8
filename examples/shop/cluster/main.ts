// Several processes of the shop behind nginx: npm run cluster
import { setTimeout as pause } from 'node:timers/promises'
import { startProxy } from './proxy.ts'
import { startWorker, type Worker } from './worker.ts'

const { env } = process

const fail = (message: string): never => {
  console.error(message)
  process.exit(1)
}

for (const name of ['DATABASE_URL', 'REDIS_URL', 'SECRET_KEY'])
  if (env[name] === undefined)
    fail(`${name} is required, because all processes share it. See docs/deploy.md.`)
const count = Number(env['PROCESSES'] ?? '2')
if (!Number.isInteger(count) || count < 1) fail('PROCESSES must be an integer of at least 1.')
const port = Number(env['PORT'] ?? '8080')

/** Only the proxy on this machine can reach the processes. */
const environment = { AUTH: '1', ...env, TRUST_PROXY: '127.0.0.1' }

/** URLs separated by spaces: one per process, if each writes to a different node of a database cluster. */
const urls = env['DATABASE_URL']?.split(' ') ?? []
const start = (index: number): Promise<Worker> =>
  startWorker({ ...environment, DATABASE_URL: urls[index % urls.length] })
const all = Array.from({ length: count }, (_, index) => index)
// Processes with the same database wait for each other during migration. Nodes do not see each other's locks.
const first = urls.length > 1 ? await Promise.allSettled([start(0)]) : []
const started = [...first, ...(await Promise.allSettled(all.slice(first.length).map(start)))]
const workers = started.flatMap((one): readonly Worker[] => (one.status === 'fulfilled' ? [one.value] : []))
const stopWorkers = (): Promise<unknown> => Promise.all(workers.map((worker) => worker.stop()))
if (workers.length < count) {
  await stopWorkers()
  fail('Some processes did not start.')
}
const proxy = startProxy(
  port,
  workers.map((worker) => worker.port),
)

const stop = async (code: number): Promise<never> => {
  await proxy.stop()
  await stopWorkers()
  process.exit(code)
}
process.once('SIGTERM', () => void stop(0))
process.once('SIGINT', () => void stop(0))
proxy.child.once('error', () => void stop(1))
proxy.child.once('exit', () => void stop(1))

const origin = `http://127.0.0.1:${port}`
const answers = (): Promise<boolean> =>
  fetch(`${origin}/api/products/`).then(
    ({ status }) => status < 500,
    () => false,
  )
while (!(await answers())) await pause(50)
for (const worker of workers)
  console.log(`Process        http://127.0.0.1:${worker.port}/api pid ${worker.pid()}`)
console.log(`Cluster        ${origin}/api/docs`)
