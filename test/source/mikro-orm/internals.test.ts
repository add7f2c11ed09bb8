import { defineEntity, p } from '@mikro-orm/core'
import { expect, it } from 'vitest'
import type { SqlManager } from '../../../src/source/mikro-orm/database.ts'
import { conditionAfter } from '../../../src/source/mikro-orm/internals.ts'
import { changedIn } from '../changed.ts'
import { openSqlite } from './databases.ts'

const changed = changedIn('@mikro-orm/sql', 'mikro-orm')

it('a select of keys ends with its filters', async () => {
  const id = p.integer().primary()
  const living = { name: 'living', cond: { state: 'as is' }, default: true }
  const Plain = defineEntity({ name: 'Plain', properties: { id } })
  const Filtered = defineEntity({
    name: 'Filtered',
    properties: { id, state: p.string() },
    filters: { living },
  })
  const Joined = defineEntity({
    name: 'Joined',
    properties: { id, other: () => p.manyToOne(Filtered) },
    filters: { living: { ...living, cond: { other: { state: 'as is' } } } },
  })
  const orm = await openSqlite({ entities: [Plain, Filtered, Joined] })
  const manager = orm.em.fork() as SqlManager
  const conditionOf = async (name: string) => {
    const metadata = [...orm.getMetadata().getAll().values()].find(({ className }) => className === name)
    if (metadata === undefined) return expect.fail(`No ${name}.`)
    const query = manager.createQueryBuilder(metadata.class, 'at')
    query.select(['id'])
    await query.applyFilters()
    return conditionAfter(query.getFormattedQuery(), '`at`')
  }
  expect(await conditionOf('Plain'), changed('what a select of keys has')).toBe('')
  expect(await conditionOf('Filtered'), changed('how it writes filters')).toBe("`at`.`state` = 'as is'")
  expect(await conditionOf('Joined'), changed('how it writes filters over relations')).toBe(undefined)
})
