export { decimal } from 'drizzle-orm/mysql-core'
export {
  type ApiKeysTable,
  type AuditTable,
  apiKeysTable,
  auditTable,
  file,
  image,
  type UsersTable,
  usersTable,
} from '../source/drizzle/columns/mysql.ts'
