import { customType, integer, pgTable } from 'drizzle-orm/pg-core'
import { expect, it } from 'vitest'
import { onPostgres } from '../../servers/test-database.ts'
import { onFetch } from '../../stage/apps.ts'
import { openPostgres } from '../../stage/postgres.ts'

onPostgres('a collation that takes different texts as equal', () => {
  it('changes neither equality nor search', async () => {
    const name = customType<{ data: string }>({ dataType: () => 'text COLLATE "ci"' })
    const things = pgTable('things', { id: integer().primaryKey(), name: name() })
    const { models, close } = await openPostgres(
      { things },
      `create collation ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
       create table things (id integer primary key, name text collate ci);
       insert into things values (1, 'Ann'), (2, 'ann'), (3, 'Bob')`,
    )
    try {
      const app = await onFetch({ models }, { base: '' })
      const ids = async (query: string) => {
        const reply = await app.ask(`/things/?${query}`)
        const { items } = (await reply.json()) as { items?: { id: number }[] }
        return [reply.status, items?.map(({ id }) => id)]
      }
      expect(await ids('q=name==ann')).toEqual([200, [2]])
      expect(await ids('q=name=AN')).toEqual([200, [1, 2]])
      expect(await ids('search=nn')).toEqual([200, [1, 2]])
      expect(await ids('sort=name&order=desc&q=name>b')).toEqual([200, [3]])
      const many = Array.from({ length: 30 }, (_, at) => `x${at}`).join()
      expect(await ids(`q=name==ann,${many}`)).toEqual([200, [2]])
      expect(await ids(`q=name==ANN,${many}`)).toEqual([200, []])
    } finally {
      await close()
    }
  }, 60_000)
})
