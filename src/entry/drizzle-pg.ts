export { decimal } from 'drizzle-orm/pg-core'
export { file, image, type UsersTable, usersTable } from '../source/drizzle/columns/pg.ts'
