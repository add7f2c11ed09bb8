import { createServer } from 'node:http'
import { listen } from '../test/host/listen.ts'
import '../src/entry/fastify.ts'

// Reads bodies and drops them: what Node takes by itself, with the same code loaded. Its address is a line.
const server = createServer(async (request, response) => {
  for await (const piece of request) void piece
  response.writeHead(201).end()
})
const { port } = await listen({
  server,
  listen: ({ port: asked, host }) => new Promise<void>((resolve) => server.listen(asked, host, resolve)),
  close: async () => server.close(),
})
process.stdout.write(`http://127.0.0.1:${port}\n`)
