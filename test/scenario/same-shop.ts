import Fastify from 'fastify'
import {
  controllerFor,
  ModelRest,
  type ModelRestOptions,
  type ModelSource,
  ValueError,
} from 'modelrest/fastify'
import { afterAll, expect } from 'vitest'
import { baseUrl, openShop } from '../../examples/shop/app.ts'
import { customerOf } from '../../examples/shop/caller.ts'
import { addDemoUser } from '../../examples/shop/demo-user.ts'
import { createDatabase } from '../servers/test-database.ts'
import { scenario } from './scenario.ts'
import { redisOfItsOwn } from './stage.ts'

/** The models of the example, through another ORM than that of the example. */
export interface SameShop {
  readonly models: ModelSource
  readonly acts: Acts
  close(): Promise<unknown>
}

/** What the hooks of the example do with the handle of the transaction. */
export interface Acts {
  orderOf(db: unknown, id: unknown): Promise<{ readonly customer_id: string; readonly shipped_at: unknown }>
  addPoints(db: unknown, customer: string, points: number): Promise<unknown>
  addAuditEntry(
    db: unknown,
    entry: { readonly order_id: unknown; readonly status: unknown },
  ): Promise<unknown>
}

const secret = 'a secret that all processes of the shop have in common'

const controllersOf = ({ orderOf, addPoints, addAuditEntry }: Acts) => [
  controllerFor('OrderItem', {
    scope(request) {
      const customer = customerOf(request)
      return customer === undefined ? {} : { order: { customer_id: customer } }
    },
    async afterCreate(_request, item, { db }) {
      const order = await orderOf(db, item['order_id'])
      if (order.shipped_at !== null)
        throw new ValueError('The order has already been shipped. You cannot add items to it.')
      await addPoints(db, order.customer_id, 10)
    },
  }),
  controllerFor('Order', {
    scope(request) {
      const customer = customerOf(request)
      return customer === undefined ? {} : { customer_id: customer }
    },
    beforeCreate: (_request, payload) =>
      payload['status'] === 'shipped' ? { ...payload, shipped_at: new Date() } : undefined,
    beforeUpdate: (_request, order, payload) =>
      payload['status'] === 'shipped' && order['status'] !== 'shipped'
        ? { ...payload, shipped_at: new Date() }
        : undefined,
    async afterUpdate(_request, { id, status }, { db }) {
      await addAuditEntry(db, { order_id: id, status })
    },
  }),
]

/** Serves a shop as its example does, with other models and controllers, and cursor pages beside it. */
const scenarioWith = async (
  given: ModelRestOptions,
  own?: Pick<ModelRestOptions, 'models' | 'controllers' | 'exclude' | 'fileFields'>,
): Promise<readonly string[]> => {
  const [app, cursors] = [Fastify(), Fastify()]
  try {
    await app.register(async (api) => new ModelRest(api, { ...given, ...own }).init(), {
      prefix: baseUrl,
    })
    await new ModelRest(cursors, {
      models: own?.models ?? given.models,
      paginationType: 'cursor',
      controllers: [],
      settings: { SECRET_KEY: secret },
    }).init()
    const listen = (server: typeof app) => server.listen({ host: '127.0.0.1', port: 0 })
    return await scenario(`${await listen(app)}${baseUrl}`, await listen(cursors))
  } finally {
    await app.close()
    await cursors.close()
  }
}

/** Fields of other ORMs hold any file, while `image()` of drizzle accepts only images. */
const files = { fileFields: { Category: ['image'] } }
const IMAGE_STEPS = 14
const imageSteps = [201, 200, 206, 200, 200, 422, 200, 409, 409, 404, 404, 200, 404, 204]

const statusOf = (line: string): number => Number(/ (\d{3})$/m.exec(line)?.[1])
const requestOf = (line = ''): string => line.split('\n')[0] ?? ''

/** The requests that need what a source does not have. */
const lackedBy = ({
  capabilities: { relatedSort, dateParts, countDistinct },
}: ModelSource): readonly RegExp[] => [
  ...(relatedSort === true ? [] : [/\?(?:.*&)?sort=[a-z]+\./]),
  ...(dateParts === true ? [] : [/\?(?:.*&)?group=[^&]*(?:month|year)\(/]),
  // A refusal names the functions that a field has.
  ...(countDistinct === true ? [] : [/\?aggregate=sum\(name\)/]),
]

/** What a source can do, what it lacks, and the steps with images. */
const parted = (lines: readonly string[], lacked: readonly RegExp[]) => {
  const start = lines.findIndex((line) => line.includes('Paper lanterns'))
  const others = [...lines.slice(0, start), ...lines.slice(start + IMAGE_STEPS)]
  const isLacking = (line: string): boolean => lacked.some((pattern) => pattern.test(requestOf(line)))
  return {
    common: others.filter((line) => !isLacking(line)),
    lacking: others.filter(isLacking).map(statusOf),
    images: lines.slice(start, start + IMAGE_STEPS).map(statusOf),
  }
}

/** Runs the scenario on the shop of the example and on another. Refusals by name stand for what the other lacks. */
const compared = async (
  example: ModelRestOptions,
  given: ModelRestOptions,
  { models, acts }: SameShop,
  same: (line: string) => string = (line) => line,
): Promise<readonly string[]> => {
  const lacked = lackedBy(models)
  const expected = parted(await scenarioWith(example), lacked)
  const own = { models, controllers: controllersOf(acts), exclude: { app: ['AuditEntry'] }, ...files }
  const { common, lacking, images } = parted(await scenarioWith(given, own), lacked)
  expect(common).toHaveLength(expected.common.length)
  expect(lacking).toEqual(expected.lacking.map(() => 400))
  expect(images).toEqual(imageSteps)
  return common.flatMap((line, at) => {
    const other = expected.common[at] ?? ''
    return same(line) === same(other) ? [] : [`${requestOf(line)}, not ${statusOf(other)}`]
  })
}

/** Without digits that SQLite does not keep, and without the zeros of milliseconds. */
const asOnSqlite = (line: string): string =>
  withoutMilliseconds(line).replaceAll(/(?<=:)"(-?\d+(?:\.\d+)?)"/g, (_text, number) =>
    String(Number(number)),
  )

/** Drizzle's tables have seconds. */
export const withoutMilliseconds = (line: string): string => line.replaceAll('.000Z', 'Z')

/** The requests with other responses than those of the example, on SQLite. The users are `Member`. */
export const comparedOnSqlite = async (open: () => Promise<SameShop>): Promise<readonly string[]> => {
  const given = { database: ':memory:', products: 100, secret }
  const shop = await openShop({ ...given, ...redisOfItsOwn() })
  const other = await openShop({ ...given, ...redisOfItsOwn() })
  try {
    await addDemoUser(shop.db)
    const same = await open()
    // Users may have any name.
    const settings = { ...other.given.settings, AUTH_USER_MODEL: 'app.Member' }
    try {
      return await compared(shop.given, { ...other.given, settings }, same, asOnSqlite)
    } finally {
      await same.close()
    }
  } finally {
    await shop.close()
    await other.close()
  }
}

/** The same on PostgreSQL, on tables that the example has made. */
export const comparedOnPostgres = async (
  open: (url: string) => Promise<SameShop>,
  as?: (line: string) => string,
): Promise<readonly string[]> => {
  const [shop, other] = [await shopOnPostgres(), await shopOnPostgres()]
  const same = await open(other.url)
  try {
    return await compared(shop.given, other.given, same, as)
  } finally {
    await same.close()
  }
}

const shopOnPostgres = async () => {
  const { url, drop } = await createDatabase('scenario')
  const shop = await openShop({ database: url, products: 100, secret, ...redisOfItsOwn() })
  afterAll(async () => {
    await shop.close()
    await drop()
  })
  await addDemoUser(shop.db)
  return { ...shop, url }
}
