export { decimal } from 'drizzle-orm/mysql-core'
export { file, image, type UsersTable, usersTable } from '../source/drizzle/columns/mysql.ts'
