import { DataSource } from 'typeorm'
import { Customer, Order } from './entities.js'

export const dataSource = new DataSource({
  type: 'better-sqlite3',
  database: process.env['DATABASE'] ?? 'shop.db',
  entities: [Customer, Order],
  synchronize: true,
})
