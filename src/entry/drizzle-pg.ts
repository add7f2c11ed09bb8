export { decimal } from 'drizzle-orm/pg-core'
export { file, image } from '../source/drizzle/file-columns/pg.ts'
export { type UsersTable, usersTable } from '../source/drizzle/users/pg.ts'
