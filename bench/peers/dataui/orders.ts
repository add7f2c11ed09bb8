import 'reflect-metadata'
import { Crud, type CrudController } from '@dataui/crud'
import { TypeOrmCrudService } from '@dataui/crud-typeorm'
import { Controller, Injectable } from '@nestjs/common'
import { InjectRepository } from '@nestjs/typeorm'
import { Column, Entity, JoinColumn, ManyToOne, OneToMany, PrimaryColumn, type Repository } from 'typeorm'
import { opening } from './serve'

@Entity('customers')
class Customer {
  @PrimaryColumn()
  id: number

  @Column()
  name: string

  @Column()
  city: string
}

@Entity('products')
class Product {
  @PrimaryColumn()
  id: number

  @Column()
  name: string
}

@Entity('items')
class Item {
  @PrimaryColumn()
  id: number

  @Column()
  order_id: number

  @ManyToOne('orders', 'items')
  @JoinColumn({ name: 'order_id' })
  order: object

  @Column()
  product_id: number

  @ManyToOne(() => Product)
  @JoinColumn({ name: 'product_id' })
  product: Product

  @Column()
  quantity: number

  @Column()
  price: number
}

@Entity('orders')
class Order {
  @PrimaryColumn()
  id: number

  @Column()
  customer_id: number

  @ManyToOne(() => Customer)
  @JoinColumn({ name: 'customer_id' })
  customer: Customer

  @Column()
  status: string

  @OneToMany(() => Item, 'order')
  items: Item[]
}

@Injectable()
class OrdersService extends TypeOrmCrudService<Order> {
  constructor(@InjectRepository(Order) repo: Repository<Order>) {
    super(repo)
  }
}

@Crud({
  model: { type: Order },
  query: { maxLimit: 100, join: { customer: {}, items: {}, 'items.product': {} } },
})
@Controller('orders')
class OrdersController implements CrudController<Order> {
  constructor(public service: OrdersService) {}
}

// Filters and sorts by what it joins, and does not show it.
@Crud({
  model: { type: Order },
  query: { maxLimit: 100, join: { customer: { select: false }, items: { select: false } } },
})
@Controller('orders-alone')
class OrdersAloneController implements CrudController<Order> {
  constructor(public service: OrdersService) {}
}

export const open = opening({
  entities: [Customer, Product, Item, Order],
  providers: [OrdersService],
  controllers: [OrdersController, OrdersAloneController],
})
