export { decimal } from 'drizzle-orm/mysql-core'
export {
  type AuditTable,
  auditTable,
  file,
  image,
  type UsersTable,
  usersTable,
} from '../source/drizzle/columns/mysql.ts'
