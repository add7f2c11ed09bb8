export { file, image } from '../source/drizzle/file-columns/sqlite.ts'
export { type DecimalConfig, decimal } from '../source/drizzle/sqlite-columns/decimal.ts'
export { type UsersTable, usersTable } from '../source/drizzle/users/sqlite.ts'
