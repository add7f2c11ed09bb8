// An API in Deno, beside its own routes.
// Run it with `deno run --allow-all examples/hosts/deno.ts`, then open http://localhost:3000/api/docs.
import { fetchApp, ModelRest } from 'modelrest/fetch'
import { memorySource } from 'modelrest/testing'

// Keeps the records in memory. Use your database instead: `drizzleModels(db, tables)` from `modelrest/drizzle`.
const models = memorySource([
  {
    name: 'Task',
    fields: [
      { name: 'id', kind: 'integer', hasDefault: true },
      { name: 'title', kind: 'text', maxLength: 100 },
    ],
    primaryKey: ['id'],
  },
])

const addresses = new WeakMap<Request, string>()

const app = fetchApp({ base: '/api', clientAddress: (request) => addresses.get(request) })
const rest = new ModelRest(app, { models })
await rest.init()

const hello = async (request: Request): Promise<Response> => {
  const { caller } = await rest.context(request)
  return new Response(`Hello, ${caller?.id ?? 'anonymous'}`)
}

const onListen = ({ port }: Deno.NetAddr): void => console.log(`http://localhost:${port}`)

const server = Deno.serve(
  { port: Number(Deno.env.get('PORT') ?? 3000), onListen },
  (request, { remoteAddr }) => {
    addresses.set(request, remoteAddr.hostname)
    return new URL(request.url).pathname === '/hello' ? hello(request) : app.fetch(request)
  },
)

Deno.addSignalListener('SIGTERM', async () => {
  await rest.close()
  await server.shutdown()
  Deno.exit()
})
