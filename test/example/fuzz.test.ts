import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { baseUrl, buildShop } from '../../examples/shop/app.ts'
import type { JsonSchema } from '../../src/model/codec.ts'
import { noiseHeaders, validHeaders } from './fuzz/heads.ts'
import { noiseQueries } from './fuzz/queries.ts'
import { reachChecks } from './fuzz/reach.ts'
import { replyChecks } from './fuzz/reply-check.ts'
import { requestsTo } from './fuzz/requests.ts'
import { type Sent, ShopClient } from './fuzz/shop-client.ts'
import { sqliteOf } from './sqlite-of.ts'

/** Requests to each route. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 100)
/** The pages of the documentation read nothing of a request that the routes above do not read as well. */
const PAGE_RUNS = Math.ceil(RUNS / 10)
/** FUZZ_SEED tries another one. Each route has its own, or they would all ask for the same new records. */
const seed = Number(process.env['FUZZ_SEED'] ?? 20_260_101)
const TIMEOUT = 300_000

const folder = mkdtempSync(join(tmpdir(), 'modelrest-fuzz-'))
const shop = await buildShop({ database: join(folder, 'shop.db') })
const client = new ShopClient(shop)
const document = shop.rest.openapi()
const schemas = document.components.schemas as Readonly<Record<string, JsonSchema>>
const checkOf = replyChecks(document)
const reachOf = reachChecks(shop)

afterAll(async () => {
  await shop.app.close()
  rmSync(folder, { recursive: true })
})

// Files have no page in the document: they are read where a reply says that they are.
const documented = shop.rest.operations.filter(({ tag, model }) => tag !== undefined && model !== undefined)
const subjects = documented.map((operation, index) => {
  const model = shop.rest.models.find(({ name }) => name === operation.tag)
  const target = shop.rest.models.find(({ name }) => name === operation.model)
  if (model === undefined || target === undefined) throw new Error(`${operation.id} is about no model.`)
  const at = (method: string, path: string) =>
    shop.rest.operations.find((each) => each.method === method && each.path === path)
  const create = at('POST', `/${model.path}/`)
  const list = at('GET', `/${target.path}/`)
  if (list === undefined) throw new Error(`${target.name} has no list.`)
  return [operation.id, { model, target, operation, list, create, schemas, seed: seed + index }] as const
})

const shown = ({ payload, ...sent }: Sent): string =>
  JSON.stringify({ ...sent, ...(payload !== undefined && { payload: payload.toString() }) })

describe(`random requests, seed ${seed}`, () => {
  it.each(subjects)(
    '%s answers as its document says',
    async (_id, subject) => {
      const { model, target, operation } = subject
      const check = checkOf(operation)
      let answered = 0
      let succeeded = 0
      await client.look()
      const property = fc.asyncProperty(requestsTo(subject), async (request) => {
        const sent = await client.settle(model, operation, request)
        const answer = await client.send(sent)
        const wrong = [...check(answer), ...reachOf(target, sent, answer)]
        if (wrong.length > 0) throw new Error(`${shown(sent)}\n${wrong.join('\n')}`)
        answered += 1
        if (answer.status < 300) succeeded += 1
        if (answer.status === 201) await expectThere(answer.headers['location'], answer.text)
      })
      await fc.assert(property, { numRuns: RUNS, seed: subject.seed })
      expect(answered).toBeGreaterThanOrEqual(RUNS)
      expect(succeeded / answered).toBeGreaterThanOrEqual(0.3)
    },
    TIMEOUT,
  )

  const expectThere = async (location: unknown, text: string): Promise<void> => {
    const found = await client.send({ method: 'GET', url: String(location), headers: {} })
    expect([found.status, found.text]).toEqual([200, text])
  }

  it('files are there for the records that hold them, and no others are', async () => {
    await shop.rest.close()
    const held = sqliteOf(shop).prepare('select image from categories where image is not null').pluck().all()
    const media = join(folder, 'media')
    const kept = readdirSync(media, { recursive: true, encoding: 'utf8' }).filter((path) =>
      statSync(join(media, path)).isFile(),
    )
    expect(held.length).toBeGreaterThan(0)
    expect(kept.toSorted()).toEqual(held.toSorted())
  })

  const docs = ['/openapi.json', '/docs', '/docs/swagger-ui.css']
  it.each(docs)(
    '%s never fails',
    async (path) => {
      const [model] = shop.rest.models
      if (model === undefined) throw new Error('There are no models.')
      const query = fc.oneof(fc.constant(''), noiseQueries(model))
      const headers = fc.oneof(validHeaders, noiseHeaders(false))
      let succeeded = 0
      const property = fc.asyncProperty(query, headers, async (asked, head) => {
        const { status } = await client.send({
          method: 'GET',
          url: `${baseUrl}${path}?${asked}`,
          headers: head,
        })
        expect(status).toBeLessThan(500)
        if (status < 300) succeeded += 1
      })
      await fc.assert(property, { numRuns: PAGE_RUNS, seed })
      expect(succeeded / PAGE_RUNS).toBeGreaterThanOrEqual(0.3)
    },
    TIMEOUT,
  )
})
