import type { IncomingMessage, ServerResponse } from 'node:http'
import express from 'express'
import { Hono } from 'hono'
import { z } from 'zod'
import { openSqlite } from './sides/by-hand-sqlite.ts'

type Statements = ReturnType<typeof openSqlite>

export const product = z.strictObject({
  name: z.string().max(100),
  category: z.string().max(20),
  price: z.int(),
  stock: z.int(),
  in_stock: z.boolean(),
})
const list = z.strictObject({
  after: z.coerce.number().int().default(0),
  limit: z.coerce.number().int().min(0).max(1000).default(100),
  count: z.literal('none'),
})
export const key = z.coerce.number().int()
const notFound = { status: 404, title: 'Not found' } as const

export const page = async (statements: Statements, query: unknown) => {
  const { after, limit } = list.parse(query)
  return { items: await statements.list(after, limit, 0), count: null, count_exact: false }
}

/** The three routes as one writes them for Express. */
export const onExpress = (file: string): express.Express => {
  const statements = openSqlite(file)
  const app = express().disable('x-powered-by').use(express.json())
  app.get('/api/products/', async (request, response) => {
    response.json(await page(statements, request.query))
  })
  app.get('/api/products/:id', async (request, response) => {
    const row = await statements.read(key.parse(request.params.id))
    if (row === undefined) response.status(404).json(notFound)
    else response.json(row)
  })
  app.post('/api/products/', async (request, response) => {
    const body = product.safeParse(request.body)
    if (!body.success) return void response.status(422).json(body.error.issues)
    const row = await statements.create(body.data)
    response.status(201).location(`/api/products/${row.id}`).json(row)
  })
  return app
}

/** The same for Hono. */
export const onHono = (file: string): Hono => {
  const statements = openSqlite(file)
  const app = new Hono()
  app.get('/api/products/', async (context) => context.json(await page(statements, context.req.query())))
  app.get('/api/products/:id', async (context) => {
    const row = await statements.read(key.parse(context.req.param('id')))
    return row === undefined ? context.json(notFound, 404) : context.json(row)
  })
  app.post('/api/products/', async (context) => {
    const body = product.safeParse(await context.req.json())
    if (!body.success) return context.json(body.error.issues, 422)
    const row = await statements.create(body.data)
    return context.json(row, 201, { location: `/api/products/${row.id}` })
  })
  return app
}

/** The same for servers that take a `Request`. */
export const onFetch = (file: string): ((request: Request) => Promise<Response>) => {
  const statements = openSqlite(file)
  return async (request) => {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === '/api/products/' && request.method === 'POST') {
      const body = product.safeParse(await request.json())
      if (!body.success) return Response.json(body.error.issues, { status: 422 })
      const row = await statements.create(body.data)
      return Response.json(row, { status: 201, headers: { location: `/api/products/${row.id}` } })
    }
    if (pathname === '/api/products/')
      return Response.json(await page(statements, Object.fromEntries(searchParams)))
    const row = await statements.read(key.parse(pathname.slice('/api/products/'.length)))
    return row === undefined ? Response.json(notFound, { status: 404 }) : Response.json(row)
  }
}

/** The same for `node:http`. */
export const onNode = (file: string) => {
  const statements = openSqlite(file)
  const send = (response: ServerResponse, status: number, value: unknown, headers: object = {}): void => {
    const text = JSON.stringify(value)
    response.writeHead(status, {
      ...{ 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
      ...headers,
    })
    response.end(text)
  }
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname === '/api/products/' && request.method === 'POST') {
      const pieces: Buffer[] = []
      for await (const piece of request) pieces.push(piece)
      const body = product.safeParse(JSON.parse(Buffer.concat(pieces).toString()))
      if (!body.success) return send(response, 422, body.error.issues)
      const row = await statements.create(body.data)
      return send(response, 201, row, { location: `/api/products/${row.id}` })
    }
    if (pathname === '/api/products/')
      return send(response, 200, await page(statements, Object.fromEntries(searchParams)))
    const row = await statements.read(key.parse(pathname.slice('/api/products/'.length)))
    send(response, row === undefined ? 404 : 200, row ?? notFound)
  }
  return (request: IncomingMessage, response: ServerResponse): void => {
    serve(request, response).catch(() => response.destroy())
  }
}
