import { eq } from 'drizzle-orm'
import { hashPassword } from 'modelrest'
import type { ShopDatabase } from './db.ts'
import { first, run } from './statements.ts'
import { tablesOf } from './tables.ts'

/** Whoever reads this may log in: a shop that is more than an example has no such user. */
export const demoUser = { email: 'demo@shop.example', password: 'a lamp for every desk' } as const

/** Adds the demo user where it is not there yet. */
export const addDemoUser = async (db: ShopDatabase): Promise<void> => {
  const { users } = tablesOf(db)
  const { email, password } = demoUser
  const isThere = async (): Promise<boolean> =>
    (await first(db.select().from(users).where(eq(users.email, email)))) !== undefined
  if (await isThere()) return
  const hash = await hashPassword(password)
  try {
    await run(db.insert(users).values({ email, name: 'Demo', password: hash }))
  } catch (error) {
    // Another process may have been faster.
    if (!(await isThere())) throw error
  }
}
