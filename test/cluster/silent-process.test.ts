import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startProxy } from '../../examples/shop/cluster/proxy.ts'
import { needing } from '../needed-program.ts'
import { freePort } from '../readme/server.ts'

/** It listens and takes no connection: once its queue is full, its system answers no new one, as a machine without power. */
const silent = `
const server = require('node:net').createServer()
server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  require('node:fs').writeSync(1, server.address().port + '\\n')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
})`

needing('nginx', 'a machine that is silent', () => {
  let child: ChildProcess
  let live: Server
  let proxy: ReturnType<typeof startProxy>
  let base: string
  const queue: Socket[] = []

  beforeAll(async () => {
    child = spawn(process.execPath, ['-e', silent], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [said] = await once(child.stdout ?? child, 'data')
    const port = Number(said)
    // As many as its queue takes.
    for (let place = 0; place < 2; place += 1) {
      const socket = connect(port, '127.0.0.1')
      queue.push(socket)
      await once(socket, 'connect')
    }
    live = createServer((request, reply) => {
      request.pipe(reply)
    }).listen(0, '127.0.0.1')
    await once(live, 'listening')
    const own = await freePort()
    base = `http://127.0.0.1:${own}`
    proxy = startProxy(own, [port, (live.address() as AddressInfo).port])
  })
  afterAll(async () => {
    for (const socket of queue) socket.destroy()
    await proxy?.stop()
    live?.close()
    child?.kill('SIGKILL')
  })

  /** Of nginx alone: no process is asked for this path. */
  const statusOfProxy = () =>
    fetch(`${base}/api/health/`).then(
      ({ status }) => status,
      () => 0,
    )

  // Nobody waits for a connection as long as nginx does by itself, which is longer than this test may take.
  it.each(['GET', 'POST', 'PATCH', 'PUT', 'DELETE'])(
    'keeps nobody waiting: %s is answered by the other process',
    async (method) => {
      await expect.poll(statusOfProxy, { timeout: 10_000 }).toBe(404)
      for (let times = 0; times < 4; times += 1) {
        const body = method === 'GET' ? '' : `body ${times}`
        const reply = await fetch(`${base}/api/products/`, { method, ...(body && { body }) })
        expect([reply.status, await reply.text()]).toEqual([200, body])
      }
    },
    30_000,
  )
})
