export {
  type AuditTable,
  auditTable,
  type DecimalConfig,
  decimal,
  file,
  image,
  type UsersTable,
  usersTable,
} from '../source/drizzle/columns/sqlite.ts'
