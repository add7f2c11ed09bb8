import { once } from 'node:events'
import { feathers, type HookContext } from '@feathersjs/feathers'
import { KnexService } from '@feathersjs/knex'
import { bodyParser, errorHandler, koa, parseAuthentication, rest } from '@feathersjs/koa'
import { Ajv, resolve, hooks as schemaHooks } from '@feathersjs/schema'
import { getValidator, querySyntax, type Static, Type } from '@feathersjs/typebox'
import knex, { type Knex } from 'knex'

// The files that the generator of Feathers writes for a service, in one: schemas, validators, resolvers, service, hooks.
const productSchema = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String({ maxLength: 100 }),
    category: Type.String({ maxLength: 20 }),
    price: Type.Integer(),
    stock: Type.Integer(),
    in_stock: Type.Boolean(),
  },
  { $id: 'Product', additionalProperties: false },
)
type Product = Static<typeof productSchema>
const dataSchema = Type.Omit(productSchema, ['id'], { $id: 'ProductData', additionalProperties: false })
const patchSchema = Type.Partial(dataSchema, { $id: 'ProductPatch', additionalProperties: false })
const querySchema = Type.Intersect(
  [querySyntax(productSchema), Type.Object({}, { additionalProperties: false })],
  {
    additionalProperties: false,
  },
)
type ProductQuery = Static<typeof querySchema>

const dataValidator = new Ajv({})
const queryValidator = new Ajv({ coerceTypes: true })
const validateData = getValidator(dataSchema, dataValidator)
const validatePatch = getValidator(patchSchema, dataValidator)
const validateQuery = getValidator(querySchema, queryValidator)

const dataResolver = resolve<Product, HookContext>({})
const queryResolver = resolve<ProductQuery, HookContext>({})
const externalResolver = resolve<Product, HookContext>({})
const resultResolver = {
  // SQLite stores a boolean as a number.
  sqlite: resolve<Product, HookContext>({ in_stock: async (value) => Boolean(value) }),
  postgres: resolve<Product, HookContext>({}),
} as const

const connect = (database: 'sqlite' | 'postgres', location: string): Knex => {
  if (database === 'postgres') return knex({ client: 'pg', connection: location })
  return knex({
    client: 'better-sqlite3',
    connection: { filename: location },
    useNullAsDefault: true,
    pool: {
      afterCreate: (
        client: { pragma(text: string): unknown },
        done: (error: null, client: unknown) => void,
      ) => {
        client.pragma('journal_mode = WAL')
        client.pragma('synchronous = NORMAL')
        done(null, client)
      },
    },
  })
}

export const open = async (database: 'sqlite' | 'postgres', location: string) => {
  const Model = connect(database, location)
  const app = koa(feathers())
  app.use(errorHandler())
  app.use(parseAuthentication())
  app.use(bodyParser())
  app.configure(rest())
  const products = new KnexService({ Model, name: 'products', paginate: { default: 10, max: 50 } })
  app.use('products', products, { methods: ['find', 'get', 'create', 'patch', 'remove'], events: [] })
  app.service('products').hooks({
    around: {
      all: [
        schemaHooks.resolveExternal(externalResolver),
        schemaHooks.resolveResult(resultResolver[database]),
      ],
    },
    before: {
      all: [schemaHooks.validateQuery(validateQuery), schemaHooks.resolveQuery(queryResolver)],
      create: [schemaHooks.validateData(validateData), schemaHooks.resolveData(dataResolver)],
      patch: [schemaHooks.validateData(validatePatch), schemaHooks.resolveData(dataResolver)],
    },
  })
  const server = await app.listen(0, '127.0.0.1')
  if (!server.listening) await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return {
    origin: `http://127.0.0.1:${address.port}`,
    close: () => app.teardown().then(() => Model.destroy()),
  }
}
