export { decimal } from 'drizzle-orm/pg-core'
export {
  type ApiKeysTable,
  type AuditTable,
  apiKeysTable,
  auditTable,
  file,
  image,
  type UsersTable,
  usersTable,
} from '../source/drizzle/columns/pg.ts'
