import 'reflect-metadata'
import {
  Body,
  Controller,
  Get,
  type INestApplication,
  Module,
  NotFoundException,
  Param,
  Post,
  Query,
  Res,
  UnprocessableEntityException,
} from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import { ModelRestModule } from 'modelrest/nest'
import { key, page, product } from './hosts-by-hand.ts'
import { openSqlite } from './sides/by-hand-sqlite.ts'
import { modelsOf } from './sides/modelrest.ts'

export type Platform = 'express' | 'fastify'

interface Response {
  header(name: string, value: string): unknown
}

/** The three routes as one writes them for Nest. Node.js does not run decorators, so they are called. */
const controllerOf = (file: string) => {
  const statements = openSqlite(file)
  class Products {
    list(query: unknown) {
      return page(statements, query)
    }
    async read(id: string) {
      const row = await statements.read(key.parse(id))
      if (row === undefined) throw new NotFoundException()
      return row
    }
    async create(given: unknown, response: Response) {
      const body = product.safeParse(given)
      if (!body.success) throw new UnprocessableEntityException(body.error.issues)
      const row = await statements.create(body.data)
      response.header('location', `/api/products/${row.id}`)
      return row
    }
  }
  const { prototype } = Products
  const route = (decorator: MethodDecorator, name: 'list' | 'read' | 'create'): void =>
    void decorator(prototype, name, Object.getOwnPropertyDescriptor(prototype, name) ?? {})
  route(Get(), 'list')
  Query()(prototype, 'list', 0)
  route(Get(':id'), 'read')
  Param('id')(prototype, 'read', 0)
  route(Post(), 'create')
  Body()(prototype, 'create', 0)
  Res({ passthrough: true })(prototype, 'create', 1)
  Controller('api/products')(Products)
  return Products
}

const listening = async (module: object, platform: Platform): Promise<string> => {
  const given = { logger: ['error' as const] }
  const app: INestApplication =
    platform === 'fastify'
      ? await NestFactory.create(
          module,
          new FastifyAdapter({ routerOptions: { ignoreTrailingSlash: true } }),
          given,
        )
      : await NestFactory.create(module, given)
  await app.listen(0, '127.0.0.1')
  return (await app.getUrl()).replace('[::1]', '127.0.0.1')
}

export const nestByHand = (platform: Platform) => (file: string) => {
  class AppModule {}
  Module({ controllers: [controllerOf(file)] })(AppModule)
  return listening(AppModule, platform)
}

export const nestOurs = (platform: Platform) => (file: string) => {
  class AppModule {}
  const models = modelsOf('sqlite', file)
  Module({ imports: [ModelRestModule.forRoot({ models, base: '/api', controllers: [] })] })(AppModule)
  return listening(AppModule, platform)
}
