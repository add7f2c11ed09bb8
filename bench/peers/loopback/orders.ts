import { type ApplicationConfig, type Getter, inject } from '@loopback/core'
import {
  belongsTo,
  DefaultCrudRepository,
  Entity,
  hasMany,
  juggler,
  model,
  property,
  RepositoryMixin,
  repository,
} from '@loopback/repository'
import { RestApplication } from '@loopback/rest'
import { defineCrudRestController } from '@loopback/rest-crud'

const table = (name: string) => ({ settings: { postgresql: { schema: 'public', table: name } } })
const integer = { type: 'number', required: true, postgresql: { dataType: 'integer' } } as const
const key = { ...integer, id: true } as const
const text = { type: 'string', required: true } as const

@model(table('customers'))
class Customer extends Entity {
  @property(key)
  id: number

  @property(text)
  name: string

  @property(text)
  city: string
}

@model(table('products'))
class Product extends Entity {
  @property(key)
  id: number

  @property(text)
  name: string
}

@model(table('items'))
class Item extends Entity {
  @property(key)
  id: number

  @property(integer)
  order_id: number

  @belongsTo(() => Product, { name: 'product' }, integer)
  product_id: number

  @property(integer)
  quantity: number

  @property(integer)
  price: number
}

@model(table('orders'))
class Order extends Entity {
  @property(key)
  id: number

  @belongsTo(() => Customer, { name: 'customer' }, integer)
  customer_id: number

  @property(text)
  status: string

  @hasMany(() => Item, { keyTo: 'order_id' })
  items?: Item[]
}

// As `lb4 repository` and `lb4 relation` write them.
class CustomerRepository extends DefaultCrudRepository<Customer, number> {
  constructor(@inject('datasources.db') db: juggler.DataSource) {
    super(Customer, db)
  }
}

class ProductRepository extends DefaultCrudRepository<Product, number> {
  constructor(@inject('datasources.db') db: juggler.DataSource) {
    super(Product, db)
  }
}

class ItemRepository extends DefaultCrudRepository<Item, number> {
  constructor(
    @inject('datasources.db') db: juggler.DataSource,
    @repository.getter('ProductRepository') products: Getter<ProductRepository>,
  ) {
    super(Item, db)
    const product = this.createBelongsToAccessorFor('product', products)
    this.registerInclusionResolver('product', product.inclusionResolver)
  }
}

class OrderRepository extends DefaultCrudRepository<Order, number> {
  constructor(
    @inject('datasources.db') db: juggler.DataSource,
    @repository.getter('CustomerRepository') customers: Getter<CustomerRepository>,
    @repository.getter('ItemRepository') ofItems: Getter<ItemRepository>,
  ) {
    super(Order, db)
    const customer = this.createBelongsToAccessorFor('customer', customers)
    this.registerInclusionResolver('customer', customer.inclusionResolver)
    const items = this.createHasManyRepositoryFactoryFor('items', ofItems)
    this.registerInclusionResolver('items', items.inclusionResolver)
  }
}

class Application extends RepositoryMixin(RestApplication) {
  constructor(url: string, options: ApplicationConfig) {
    super(options)
    this.dataSource(new juggler.DataSource({ name: 'db', connector: 'postgresql', url }))
    this.repository(CustomerRepository)
    this.repository(ProductRepository)
    this.repository(ItemRepository)
    this.repository(OrderRepository)
    const Orders = defineCrudRestController<Order, number, 'id'>(Order, { basePath: '/orders' })
    inject('repositories.OrderRepository')(Orders, undefined, 0)
    this.controller(Orders)
  }
}

export const open = async (_database: 'postgres', location: string) => {
  const app = new Application(location, {
    rest: { port: 0, host: '127.0.0.1', apiExplorer: { disabled: true } },
  })
  await app.start()
  return { origin: app.restServer.url ?? '', close: () => app.stop() }
}
