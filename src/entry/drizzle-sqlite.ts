export {
  type ApiKeysTable,
  type AuditTable,
  apiKeysTable,
  auditTable,
  file,
  image,
  type UsersTable,
  usersTable,
} from '../source/drizzle/columns/sqlite.ts'
export { type DecimalConfig, decimal } from '../source/drizzle/columns/sqlite-decimal.ts'
