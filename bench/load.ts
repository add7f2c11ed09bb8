// Makes the load, in a process of its own: it does what it is told, a message at a time.
import autocannon from 'autocannon'
import { type FromLoad, obey, type ToLoad } from './messages.ts'

const cpu = (): number => {
  const { user, system } = process.cpuUsage()
  return user + system
}

const run = async ({
  origin,
  method,
  paths,
  body,
  headers,
  connections,
  onePathEach = false,
  seconds,
  requests,
}: ToLoad): Promise<FromLoad> => {
  const before = cpu()
  const all = paths.map((path) => ({
    method,
    path,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
  }))
  let connected = 0
  const result = await autocannon({
    url: origin,
    connections,
    // A synchronous driver under slow counts lets some wait for longer than the usual ten seconds.
    timeout: 60,
    ...(requests === undefined ? { duration: seconds } : { amount: requests }),
    requests: all,
    setupClient: (client) => {
      const place = onePathEach ? connected % all.length : Math.floor((connected * all.length) / connections)
      connected += 1
      // Connections begin at different places: in step, they would all ask for the same at the same time.
      client.setRequests(
        onePathEach ? all.slice(place, place + 1) : [...all.slice(place), ...all.slice(0, place)],
      )
    },
  })
  return {
    requests: result.requests.total,
    seconds: result.duration,
    failures: result.non2xx + result.errors + result.timeouts,
    cpuMicroseconds: cpu() - before,
    p50: result.latency.p50,
    p99: result.latency.p99,
  }
}

obey<ToLoad>(run)
