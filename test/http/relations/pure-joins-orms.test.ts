import { DataTypes, Sequelize } from 'sequelize'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sequelizeModels } from '../../../src/entry/sequelize.ts'
import type { ModelSource } from '../../../src/index.ts'
import { onFastify } from '../../stage/apps.ts'
import { senderTo } from '../../stage/requests.ts'
import { type OpenedOrm, openPlace, type Place, sequelizeOptions } from '../orm-places.ts'
import { shapeStages } from '../scope/shapes/stages.ts'
import { shapeTables } from '../scope/shapes/tables.ts'

const relationOf = ({ models }: ModelSource, across: string) =>
  models
    .flatMap(({ path, relations }) => relations.map(({ name, through }) => ({ path, name, through })))
    .find(({ through }) => through?.model === across)

/** The status of an anonymous request along the relations across each join table, to models that anyone may read. */
const statusesOf = async ({ models, end }: OpenedOrm, joins: readonly string[]) => {
  onTestFinished(() => void end())
  const open = models.models.filter(({ name }) => !joins.includes(name))
  const modelConfig = Object.fromEntries(open.map(({ name }) => [name, { public: 'read' }]))
  const auth = { authenticate: () => null }
  const options = { models, controllers: [], auth, modelConfig } as object
  const app = await onFastify(options, { base: '', onEntry: () => undefined })
  onTestFinished(app.stop)
  const send = senderTo(app)
  const found = joins.flatMap((join) => relationOf(models, join) ?? [])
  return Promise.all(
    found.map(async ({ path, name, through }) => [
      through?.model,
      (await send('GET', `/${path}/?include=${name}`)).status,
      (await send('GET', `/${path}/?${name}=null`)).status,
    ]),
  )
}

const openOn = async (open: (place: Place) => Promise<OpenedOrm>, ddl: readonly string[]) => {
  const place = await openPlace('sqlite', ddl)
  onTestFinished(() => place.drop())
  return open(place)
}

describe('a join table that only joins needs no permission, and one with other columns does', () => {
  it.each(Object.entries(shapeStages))('on %s', async (_orm, stage) => {
    const opened = await openOn(stage.open, shapeTables(stage).ddl)
    const statuses = await statusesOf(opened, ['ContentLabel', 'Membership'])
    expect(statuses[0]).toEqual(['ContentLabel', 200, 200])
    for (const status of statuses.slice(1)) expect(status).toEqual(['Membership', 401, 401])
  })

  it('on Sequelize, whose join tables have times and may have keys', async () => {
    const open = async (place: Place): Promise<OpenedOrm> => {
      const sequelize = new Sequelize({ ...sequelizeOptions(place), define: { timestamps: true } })
      const [Post, Tag] = [sequelize.define('Post', {}), sequelize.define('Tag', {})]
      const Link = sequelize.define('Link', {
        id: { type: DataTypes.INTEGER, primaryKey: true, autoIncrement: true },
      })
      Post.belongsToMany(Tag, { through: 'PostTag', as: 'tags' })
      Post.belongsToMany(Tag, { through: Link, as: 'links' })
      await sequelize.sync()
      return { models: sequelizeModels(sequelize), end: () => sequelize.close() }
    }
    expect(await statusesOf(await openOn(open, []), ['PostTag', 'Link'])).toEqual([
      ['PostTag', 200, 200],
      ['Link', 200, 200],
    ])
  })
})
