import { defineConfig } from '@mikro-orm/sqlite'
import { Customer, Order } from './entities.js'

export default defineConfig({
  dbName: process.env['DATABASE'] ?? 'shop.db',
  entities: [Customer, Order],
})
