export { decimal } from 'drizzle-orm/pg-core'
export {
  type AuditTable,
  auditTable,
  file,
  image,
  type UsersTable,
  usersTable,
} from '../source/drizzle/columns/pg.ts'
