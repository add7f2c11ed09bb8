import { DataTypes, QueryTypes, Sequelize } from 'sequelize'
import { expect, it, onTestFinished } from 'vitest'
import { generatorOf, optionsOf, withRows } from '../../../src/source/sequelize/internals.ts'
import { withoutRecords } from '../../../src/source/sequelize/kept.ts'
import { changedIn } from '../changed.ts'
import { nodeSqlite } from './node-sqlite.ts'

const changed = changedIn('sequelize', 'sequelize')

const open = async () => {
  const sequelize = new Sequelize({
    ...{ dialect: 'sqlite', dialectModule: nodeSqlite, storage: ':memory:', logging: false },
  })
  onTestFinished(() => sequelize.close())
  const Thing = sequelize.define(
    'Thing',
    { name: DataTypes.STRING },
    { tableName: 'things', timestamps: false },
  )
  await sequelize.sync()
  return { sequelize, Thing }
}

it('the options, and the parts that the generator writes', async () => {
  const { sequelize, Thing } = await open()
  expect(optionsOf(sequelize).storage, changed('where it keeps its options')).toBe(':memory:')
  const generator = generatorOf(sequelize)
  expect(generator.quoteTable(Thing.getTableName()), changed('quoteTable')).toBe('`things`')
  const where = generator.getWhereConditions({ name: 'a' }, Sequelize.literal('`t`'), Thing)
  expect(where, changed('getWhereConditions')).toBe("`t`.`name` = 'a'")
})

it('finds without afterFind run the other hooks', async () => {
  const { Thing } = await open()
  await Thing.create({ name: 'a' })
  const heard: string[] = []
  Thing.addHook('beforeFind', () => void heard.push('before'))
  Thing.addHook('afterFind', () => void heard.push('after'))
  expect(await withoutRecords(Thing).findAll({ raw: true }), changed('findAll')).toHaveLength(1)
  expect(heard, changed('how a model runs its hooks')).toEqual(['before'])
})

it('an insert returns rows if it does not look like one', async () => {
  const { sequelize } = await open()
  const statement = "insert into things (name) values ('a') returning name"
  const rows = await sequelize.query(withRows(statement), { type: QueryTypes.SELECT, raw: true })
  expect(rows, changed('which statements return rows')).toEqual([{ name: 'a' }])
})
