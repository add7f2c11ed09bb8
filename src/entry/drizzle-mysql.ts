export { decimal } from 'drizzle-orm/mysql-core'
export { type UsersTable, usersTable } from '../source/drizzle/users/mysql.ts'
