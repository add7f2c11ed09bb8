import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { baseUrl, buildShop } from '../../examples/shop/app.ts'
import type { Operation } from '../../src/index.ts'

/** What an application is opened with. */
export interface Opening {
  readonly folder: string
  /** How many records its largest table gets. */
  readonly products: number
}

/** One of its operations, as far as an attack has to know it. */
export interface Route {
  readonly id: string
  readonly method: Operation['method']
  /** As the server knows it, with its parameters in braces: `/api/products/{id}`. */
  readonly path: string
  readonly takesForm: boolean
  readonly bodyLimit: number | undefined
  /** A body that it takes, as its document shows one. */
  readonly example: unknown
  readonly parameters: readonly string[]
}

export interface Application {
  readonly app: FastifyInstance
  readonly operations: readonly Route[]
}

const furniture = [
  '/openapi.json',
  '/docs',
  '/docs/swagger-ui.css',
  '/health/live',
  '/health/ready',
  '/nothing',
]

/** The routes of operations, and those that no list of operations has. */
export const routesOf = (operations: readonly Operation[], base: string): readonly Route[] => [
  ...operations.map(({ id, method, path, body, parameters }) => ({
    id,
    method,
    path: base + path,
    takesForm: body?.form !== undefined,
    bodyLimit: body?.limit,
    example: body?.example,
    parameters: parameters.filter((each) => each.in === 'query').map(({ name }) => name),
  })),
  ...furniture.map((path) => ({
    ...{ id: path, method: 'GET' as const, path: base + path, takesForm: false, parameters: [] },
    ...{ bodyLimit: undefined, example: undefined },
  })),
]

/** The example, with authentication. */
export const open = async ({ folder, products }: Opening): Promise<Application> => {
  const { app, rest } = await buildShop({
    database: join(folder, 'shop.db'),
    products,
    secret: 'only-for-attacks-'.repeat(3),
  })
  return { app, operations: routesOf(rest.operations, baseUrl) }
}
