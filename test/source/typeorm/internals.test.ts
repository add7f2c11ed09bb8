import { DataSource, EntitySchema } from 'typeorm'
import { expect, it, onTestFinished } from 'vitest'
import { untouched } from '../../../src/source/typeorm/internals.ts'
import { changedIn } from '../changed.ts'

const changed = changedIn('typeorm', 'typeorm')

it('a builder of writes replaces names of properties, but not after tabs', async () => {
  const Thing = new EntitySchema<{ id: number; state: string }>({
    name: 'Thing',
    columns: { id: { type: 'int', primary: true }, state: { type: 'varchar', name: 'state_name' } },
  })
  const source = await new DataSource({
    ...{ type: 'better-sqlite3', database: ':memory:', entities: [Thing] },
  }).initialize()
  onTestFinished(() => source.destroy())
  const whereOf = (condition: string) => {
    const query = source.createQueryBuilder().update(Thing).set({ state: 'x' }).where(condition)
    return query.getQuery().split('WHERE')[1]?.replaceAll(/\s/g, '')
  }
  const condition = `"Thing"."id" = 1 and (state = 'a state' or id in (2, state))`
  expect(whereOf(condition), changed('how it replaces names of properties')).toContain('"state_name"')
  expect(whereOf(untouched(condition)), changed('what it takes as a name of a property')).toBe(
    condition.replaceAll(/\s/g, ''),
  )
})
