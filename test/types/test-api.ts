// The options of testApi() know the models, as those of ModelRest do. Bodies of responses have the type that the test names.

import * as nodeRunner from 'node:test'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import Fastify from 'fastify'
import type { Problem } from 'modelrest'
import { drizzleModels } from 'modelrest/drizzle'
import { fetchApp } from 'modelrest/fetch'
import { type Runner, type TestApi, testApi, testClient } from 'modelrest/testing'
import type { Same } from './same.ts'

const products = sqliteTable('products', { id: integer().primaryKey(), name: text().notNull() })
const models = drizzleModels(drizzle('shop.db'), { shop: { products } })

export const api = await testApi({ models, modelConfig: { Product: { hidden: ['name'] } }, log: console })
export const any: TestApi = api
api.rest.schemas('Product')
// @ts-expect-error There is no model of this name.
api.rest.schemas('Produce')
// @ts-expect-error There is no model of this name.
export const model: unknown = testApi({ models, modelConfig: { Produce: {} } })
// @ts-expect-error There is no option of this name.
export const option: unknown = testApi({ models, colour: 'red' })
// @ts-expect-error The models are missing.
export const without: unknown = testApi({ auth: true })

const { json, problem, status } = await api.post<{ readonly id: number }>('/products/', { name: 'Tea' })
export const id: Same<typeof json.id, number> = true
export const types: Same<[typeof problem, typeof status], [Problem, number]> = true

export const clients = [testClient(Fastify()), testClient(fetchApp(), { base: '/api' })]
// @ts-expect-error It is not an application.
export const wrong: unknown = testClient({ listen: () => undefined })
export const runner: Runner = nodeRunner
