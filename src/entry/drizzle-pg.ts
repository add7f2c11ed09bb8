export { decimal } from 'drizzle-orm/pg-core'
