import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import cookieParser from 'cookie-parser'
import cors from 'cors'
import express, { type Express, type RequestHandler } from 'express'
import helmet from 'helmet'
import { diskStorage, ModelRest } from 'modelrest/express'
import multer from 'multer'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { naming } from '../../naming.ts'
import { listenNode } from '../node/listen.ts'
import { askingAt, json, logOfTests, note, size, tasks } from '../stage.ts'

const folder = mkdtempSync(join(tmpdir(), 'express-'))
afterAll(() => rmSync(folder, { recursive: true }))

const logged = logOfTests()

const models = tasks(size, note)

const served = async (app: Express): Promise<void> => {
  const storage = diskStorage({ directory: folder })
  await new ModelRest(app, { models, controllers: [], fileFields: { Task: ['note'] }, storage }).init()
}

const asking = async (app: Express) => {
  const { port, stop } = await listenNode(createServer(app))
  onTestFinished(stop)
  return askingAt(port)
}

const form = (): RequestInit => {
  const body = new FormData()
  body.set('title', 'a')
  body.set('note', new Blob(['text']), 'note.txt')
  return { method: 'POST', body }
}

/** What applications install, and whether it reads JSON and forms. */
const installed: readonly (readonly [name: string, handlers: RequestHandler[], reads: string])[] = [
  ['express.json()', [express.json()], 'json'],
  ['express.urlencoded()', [express.urlencoded()], 'other forms'],
  ['express.raw()', [express.raw({ type: () => true })], 'bytes'],
  ['express.text()', [express.text({ type: () => true })], 'text'],
  ['multer', [multer().any()], 'form'],
  ['cookie-parser', [cookieParser()], ''],
  ['helmet', [helmet()], ''],
  ['cors', [cors()], ''],
  [
    'all',
    [express.json(), express.urlencoded(), multer().any(), cookieParser(), helmet(), cors()],
    'json, form',
  ],
]

/** A number that a parser rounds without a sign of it, and one that a parser changes. */
const exact = '{"title":"é","size":0.5}'
const inexact = '{"title":"a","size":0.30000000000000004}'
const imprecise = '{"title":"a","size":9007199254740993}'

describe.each(installed)('%s', (name, handlers, reads) => {
  it('installed before, has read what it reads', async () => {
    const app = express().use(...handlers)
    await served(app)
    if (reads !== '') expect(logged()).toContain(name === 'all' ? 'multer' : name)
    else expect(logged()).not.toContain('reads bodies')
    const ask = await asking(app)
    const isValue = reads.includes('json')
    const isLost = reads === 'text'
    const isForm = isLost || /\bform\b/.test(reads)
    expect(await ask('/tasks/', json(exact))).toMatchObject(
      isLost ? { status: 500 } : { status: 201, json: { title: 'é', size: 0.5 } },
    )
    const rounded = await ask('/tasks/', json(inexact))
    expect([rounded.status, rounded.json.errors?.[0]]).toMatchObject(
      isLost
        ? [500, undefined]
        : isValue
          ? [422, { pointer: '/size', code: 'imprecise_number' }]
          : [201, undefined],
    )
    const refused = await ask('/tasks/', json(imprecise))
    expect([refused.status, refused.json.errors?.[0]]).toMatchObject(
      isLost ? [500, undefined] : [422, { pointer: '/size', code: 'imprecise_number' }],
    )
    vi.mocked(process.stderr.write).mockClear()
    expect((await ask('/tasks/', form())).status).toBe(isForm ? 500 : 201)
    if (isForm) expect(logged()).toMatch(naming('body parser'))
    expect((await ask('/tasks/', json('{'))).status).toBe(isLost ? 500 : 400)
    expect((await ask('/tasks/')).status).toBe(200)
  })

  it('installed after, leaves everything exact, and reads for the own routes', async () => {
    const app = express()
    await served(app)
    app.use(...handlers)
    app.post('/own', (request, response) => void response.json(request.body ?? null))
    const ask = await asking(app)
    expect(logged()).not.toContain('reads bodies')
    expect((await ask('/tasks/', json(exact))).status).toBe(201)
    expect((await ask('/tasks/', json(inexact))).status).toBe(201)
    expect((await ask('/tasks/', json(imprecise))).json.errors[0].code).toBe('imprecise_number')
    expect((await ask('/tasks/', form())).status).toBe(201)
    if (reads.includes('json')) expect((await ask('/own', json(exact))).json).toEqual(JSON.parse(exact))
    if (/\bform\b/.test(reads)) expect((await ask('/own', form())).json).toEqual({ title: 'a' })
  })
})

it('keeps the headers that others have set', async () => {
  const app = express().use(helmet(), cors({ credentials: true, origin: 'https://shop.example' }))
  await served(app)
  const ask = await asking(app)
  for (const path of ['/tasks/', '/tasks/9']) {
    const { headers } = await ask(path, { headers: { origin: 'https://shop.example' } })
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('access-control-allow-origin')).toBe('https://shop.example')
    expect(headers.get('access-control-allow-credentials')).toBe('true')
  }
  expect((await ask('/tasks/', { method: 'OPTIONS' })).status).toBe(204)
})

it('refuses a body that a parser has read in another form than objects', async () => {
  const app = express().use(express.json())
  await served(app)
  const ask = await asking(app)
  expect((await ask('/tasks/', json('[]'))).status).toBe(422)
  expect((await ask('/tasks/', { method: 'POST' })).status).toBe(400)
})
