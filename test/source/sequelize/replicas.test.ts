import { DataTypes, Sequelize } from 'sequelize'
import { expect, it, onTestFinished } from 'vitest'
import { everything } from '../../../src/entry/source.ts'
import { onPostgres } from '../../servers/test-database.ts'
import { withStores } from './databases.ts'
import { all, onPg } from './shop.ts'

onPostgres('replicas', () =>
  it('replicas are not read, because they may not have what was just written', async () => {
    const [write, read] = [await onPg(), await onPg()]
    const sequelize = new Sequelize({
      ...{ dialect: 'postgres', logging: false },
      replication: { write, read: [read] } as never,
    })
    onTestFinished(() => sequelize.close())
    sequelize.define('Word', { name: DataTypes.STRING(50) }, { timestamps: false })
    await sequelize.sync()
    const { source, store } = withStores(sequelize)
    const words = store('Word')
    const made = await words.create({ name: 'x' })
    expect(await words.read([made['id']], everything)).toEqual(made)
    expect(await words.list(all, everything)).toEqual([made])
    expect(await words.count(everything, everything)).toBe(1)
    expect(await words.count(everything, everything, 5)).toBe(1)
    expect(await words.update([made['id']], { name: 'y' }, everything)).toMatchObject({ name: 'y' })
    const aggregates = [{ fn: 'count' }] as const
    const aggregation = { filter: everything, groups: [], aggregates, order: [], limit: 1, timezone: 'UTC' }
    expect(await words.aggregate?.(aggregation, everything)).toEqual([{ count: 1 }])
    expect(await source.missing?.(source.models)).toEqual([])
  }),
)
