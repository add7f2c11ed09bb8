import { eq } from 'drizzle-orm'
import { hashPassword } from 'modelrest'
import type { ShopDatabase } from './db.ts'
import { run } from './statements.ts'
import { primaryOf, tablesOf } from './tables.ts'

/** Whoever reads this may log in: a shop that is more than an example has no such user. */
export const demoUser = { email: 'demo@shop.example', password: 'a lamp for every desk' } as const

/** Adds the demo user where it is not there yet. */
export const addDemoUser = async (shop: ShopDatabase): Promise<void> => {
  const db = primaryOf(shop)
  const { users } = tablesOf(db)
  const { email, password } = demoUser
  const isThere = async (): Promise<boolean> =>
    (await db.select().from(users).where(eq(users.email, email))).length > 0
  if (await isThere()) return
  const hash = await hashPassword(password)
  try {
    await run(db.insert(users).values({ email, name: 'Demo', password: hash }))
  } catch (error) {
    // Another process may have been faster.
    if (!(await isThere())) throw error
  }
}
