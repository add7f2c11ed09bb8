import { eq } from 'drizzle-orm'
import { hashPassword } from 'modelrest'
import type { ShopDatabase } from './db.ts'
import { run } from './statements.ts'
import { primaryOf, tablesOf } from './tables.ts'

/** This password is public. Do not add such a user to a real application. */
export const demoUser = { email: 'demo@shop.example', password: 'a lamp for every desk' } as const

/** Adds the demo user if it does not exist. */
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
    // Another process may have added the user first.
    if (!(await isThere())) throw error
  }
}
