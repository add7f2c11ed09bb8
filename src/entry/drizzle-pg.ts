export { decimal } from 'drizzle-orm/pg-core'
export { type UsersTable, usersTable } from '../source/drizzle/users/pg.ts'
