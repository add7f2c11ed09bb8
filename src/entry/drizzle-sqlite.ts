export {
  type ApiKeysTable,
  type AuditTable,
  apiKeysTable,
  auditTable,
  type DecimalConfig,
  decimal,
  file,
  image,
  type UsersTable,
  usersTable,
} from '../source/drizzle/columns/sqlite.ts'
