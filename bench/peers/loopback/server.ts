import { type ApplicationConfig, inject } from '@loopback/core'
import {
  defineCrudRepositoryClass,
  Entity,
  juggler,
  model,
  property,
  RepositoryMixin,
} from '@loopback/repository'
import { RestApplication } from '@loopback/rest'
import { defineCrudRestController } from '@loopback/rest-crud'

@model({ settings: { postgresql: { schema: 'public', table: 'products' } } })
class Product extends Entity {
  @property({ type: 'number', id: true, generated: true, postgresql: { dataType: 'integer' } })
  id: number

  @property({ type: 'string', required: true, jsonSchema: { maxLength: 100 } })
  name: string

  @property({ type: 'string', required: true, jsonSchema: { maxLength: 20 } })
  category: string

  @property({ type: 'number', required: true, postgresql: { dataType: 'integer' } })
  price: number

  @property({ type: 'number', required: true, postgresql: { dataType: 'integer' } })
  stock: number

  @property({ type: 'boolean', required: true })
  in_stock: boolean
}

class Application extends RepositoryMixin(RestApplication) {
  constructor(url: string, options: ApplicationConfig) {
    super(options)
    this.dataSource(new juggler.DataSource({ name: 'db', connector: 'postgresql', url }))
    const ProductRepository = defineCrudRepositoryClass(Product)
    inject('datasources.db')(ProductRepository, undefined, 0)
    const repository = this.repository(ProductRepository)
    const ProductController = defineCrudRestController<Product, number, 'id'>(Product, {
      basePath: '/products',
    })
    inject(repository.key)(ProductController, undefined, 0)
    this.controller(ProductController)
  }
}

/** LoopBack's connector for SQLite needs a driver that compiles or downloads when it is installed. */
export const open = async (_database: 'postgres', location: string) => {
  const app = new Application(location, {
    rest: { port: 0, host: '127.0.0.1', apiExplorer: { disabled: true } },
  })
  await app.start()
  return { origin: app.restServer.url ?? '', close: () => app.stop() }
}
