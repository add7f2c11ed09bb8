import { createServer } from 'node:http'
import express from 'express'
import { ModelRest } from 'modelrest/express'
import { ModelRest as NodeModelRest, nodeApp } from 'modelrest/node'
import { testClient } from 'modelrest/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { tasks } from '../../host/stage.ts'

const ofExpress = async () => {
  const app = express()
  app.post('/own', express.json(), (request, response) => void response.status(202).json(request.body))
  app.get('/away', (_request, response) => response.redirect('/own'))
  await new ModelRest(app, { models: tasks(), controllers: [] }).init()
  return app
}

const ofNode = async () => {
  const app = nodeApp()
  await new NodeModelRest(app, { models: tasks(), controllers: [] }).init()
  return app
}

const applications = {
  'an application of Express': ofExpress,
  'an application of node:http': ofNode,
  'a server': async () => createServer(await ofExpress()),
  'an application of NestJS on Express': async () => {
    const server = createServer(await ofExpress())
    return { getHttpServer: () => server }
  },
}

describe.each(Object.entries(applications))('testClient of %s', (_name, open) => {
  it('sends requests with bodies, queries and headers', async () => {
    const client = testClient(await open())
    const created = await client.post('/tasks/', { title: 'é' })
    expect([created.status, created.json]).toMatchObject([201, { title: 'é' }])
    expect((await client.get('/tasks/?q=title==é')).json).toMatchObject({ count: 1 })
    expect((await client.get('/tasks/?q=title==a')).json).toMatchObject({ count: 0 })
    expect((await client.post('/tasks/', {})).problem.errors?.[0]?.pointer).toBe('/title')
    expect((await client.request('HEAD', '/tasks/')).status).toBe(200)
  })
})

describe('testClient', () => {
  it('sends requests to the own routes of Express, and does not follow redirects', async () => {
    const client = testClient(await ofExpress())
    const own = await client.post('/own', { a: 1 })
    expect([own.status, own.json]).toEqual([202, { a: 1 }])
    expect((await client.get('/away')).status).toBe(302)
  })

  it('uses a server that listens already', async () => {
    const server = createServer((request, response) => response.end(request.url))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    expect((await testClient(server).get('/a?b=c')).text).toBe('/a?b=c')
    expect(server.listening).toBe(true)
  })
})
