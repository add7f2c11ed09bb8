// An API in a Worker of Cloudflare, beside its own routes.
// Deploy it with Wrangler, with a compatibility date of August 2026 or later, or with the flag nodejs_compat.
import { fetchApp, lazyApp, ModelRest } from 'modelrest/fetch'
import { memorySource } from 'modelrest/testing'

// Keeps the records in the memory of one isolate. Use a source for your store instead.
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

// A Worker may open connections only while it handles a request.
const api = lazyApp(async () => {
  const clientAddress = (request: Request) => request.headers.get('cf-connecting-ip') ?? undefined
  const app = fetchApp({ base: '/api', clientAddress })
  const rest = new ModelRest(app, { models, controllers: [] })
  await rest.init()
  return { fetch: app.fetch, rest }
})

const hello = async (request: Request): Promise<Response> => {
  const { rest } = await api.started()
  const { caller } = await rest.context(request)
  return new Response(`Hello, ${caller?.id ?? 'anonymous'}`)
}

export default {
  fetch: (request: Request): Promise<Response> =>
    new URL(request.url).pathname === '/hello' ? hello(request) : api.fetch(request),
}
