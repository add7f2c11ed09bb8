import 'reflect-metadata'
import { Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import { ModelRestModule } from 'modelrest/nest'
import { typeormModels } from 'modelrest/typeorm'
import { DataSource, EntitySchema } from 'typeorm'
import type { Product } from '../products.ts'
import type { Open } from '../serve.ts'

const ProductEntity = new EntitySchema<Product>({
  name: 'Product',
  tableName: 'products',
  columns: {
    id: { type: 'integer', primary: true, generated: true },
    name: { type: 'varchar', length: 100 },
    category: { type: 'varchar', length: 20 },
    price: { type: 'int' },
    stock: { type: 'int' },
    in_stock: { type: 'boolean' },
  },
})

/** Our side on the stack of dataui/crud. */
export const open: Open = async (database, location) => {
  const entities = [ProductEntity]
  const dataSource = await new DataSource(
    database === 'sqlite'
      ? { type: 'better-sqlite3', database: location, enableWAL: true, entities }
      : { type: 'postgres', url: location, entities },
  ).initialize()
  if (database === 'sqlite') await dataSource.query('pragma synchronous = normal')
  const models = typeormModels(dataSource)
  class AppModule {}
  // Node.js does not run decorators, so they are called.
  Module({ imports: [ModelRestModule.forRoot({ models, base: '/api', controllers: [] })] })(AppModule)
  const app = await NestFactory.create(AppModule, new FastifyAdapter(), { logger: ['error'] })
  await app.listen(0, '127.0.0.1')
  const { port } = new URL(await app.getUrl())
  return {
    origin: `http://127.0.0.1:${port}`,
    close: async () => {
      await app.close()
      await dataSource.destroy()
    },
  }
}
