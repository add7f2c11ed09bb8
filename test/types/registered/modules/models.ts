import { drizzle } from 'drizzle-orm/better-sqlite3'
import { drizzleModels } from 'modelrest/drizzle'
import * as blog from './blog.ts'
import * as shop from './shop.ts'

export const db = drizzle('shop.db', { schema: { ...shop, ...blog } })
export const models = drizzleModels(
  db,
  { shop, blog },
  { names: { staffRecords: 'User', 'blog.tags': 'BlogTag' } },
)

declare module 'modelrest' {
  interface Register {
    models: typeof models
  }
}
