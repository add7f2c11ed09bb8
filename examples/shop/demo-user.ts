import { hashPassword } from 'modelrest'
import type { ShopDatabase } from './db.ts'
import { users } from './models.ts'

/** Whoever reads this may log in: a shop that is more than an example has no such user. */
export const demoUser = { email: 'demo@shop.example', password: 'a lamp for every desk' } as const

/** Adds the demo user where it is not there yet. */
export const addDemoUser = async (db: ShopDatabase): Promise<void> => {
  const { email, password } = demoUser
  const hash = await hashPassword(password)
  db.insert(users)
    .values({ email, name: 'Demo', password: hash })
    .onConflictDoNothing({ target: users.email })
    .run()
}
