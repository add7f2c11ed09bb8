import { type SQL, sql } from 'drizzle-orm'
import type { Awaitable } from '../source.ts'
import type { Database } from './database.ts'
import { atOnce, later } from './settling.ts'

/** Those things whose question the database answers with yes: one statement for all of them. */
export const whereTrue = <T>(
  database: Database,
  things: readonly T[],
  question: (thing: T) => SQL,
): Awaitable<readonly T[]> => {
  if (things.length === 0) return []
  const { after } = database.synchronous ? atOnce : later
  const answers = things.map((thing) => sql`case when ${question(thing)} then 1 else 0 end`)
  const ask = database.prepare(database.toQuery(sql`select ${sql.join(answers, sql`, `)}`), {
    fetch: 'all',
    read: ([row]) => things.filter((_, place) => Number(row?.[place]) === 1),
  })
  return after(ask([]), (found) => found ?? [])
}
