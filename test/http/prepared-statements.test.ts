import { describe, expect, it } from 'vitest'
import { onPostgres } from '../servers/test-database.ts'
import { executeWith, type ThingHooks } from './hooked.ts'
import { postgresStage } from './postgres-stage.ts'

/** With it, updates run in a transaction. Runs the name as SQL on the connection, if it is any. */
const hooks: ThingHooks = {
  afterUpdate: async (_request, { name }, { db }) => {
    if (/^(deallocate|select) /.test(String(name))) await executeWith(db, String(name))
  },
}

onPostgres('prepared statements in transactions', () => {
  const stage = postgresStage('prepared', ['first', 'second'])

  describe.each(['node-postgres', 'postgres.js'] as const)('%s', (driver) => {
    it.each([
      ['loses them', 'deallocate all', ''],
      ['has another table', 'select 1', 'alter table things alter times type bigint'],
    ])('a request does not notice that the server %s', async (_event, inside, outside) => {
      const { send, log } = await stage.serve(driver, { max: 1 }, hooks)
      const rename = (name: string) => send('PATCH', '/things/1', { name })
      for (let time = 0; time < 8; time += 1)
        expect(await rename(`name ${time}`)).toMatchObject({ status: 200 })
      expect(
        await rename(`select count(*) / count(*) from pg_prepared_statements where statement ~ '^update'`),
      ).toMatchObject({ status: 200 })
      expect(await rename(inside)).toMatchObject({ status: 200 })
      await stage.outside.query(outside)
      for (let time = 0; time < 8; time += 1)
        expect(await rename(`later ${time}`)).toMatchObject({ status: 200 })
      expect(await stage.names()).toContain('later 7')
      expect(log).toEqual([])
      await stage.outside.query('alter table things alter times type integer')
    })
  })
})
