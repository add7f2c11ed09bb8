export { decimal } from 'drizzle-orm/mysql-core'
export { file, image } from '../source/drizzle/file-columns/mysql.ts'
export { type UsersTable, usersTable } from '../source/drizzle/users/mysql.ts'
