export { decimal } from 'drizzle-orm/mysql-core'
