import { DataTypes, Sequelize } from 'sequelize'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sequelizeModels } from '../../../src/entry/sequelize.ts'
import { controllerFor, type ModelSource } from '../../../src/index.ts'
import { onFastify } from '../../stage/apps.ts'
import { senderTo } from '../../stage/requests.ts'
import { type OpenedOrm, openPlace, type Place, sequelizeOptions } from '../orm-places.ts'
import { shapeStages } from '../scope/shapes/stages.ts'
import { shapeTables } from '../scope/shapes/tables.ts'

const relationOf = ({ models }: ModelSource, across: string) =>
  models
    .flatMap(({ path, relations }) => relations.map(({ name, through }) => ({ path, name, through })))
    .find(({ through }) => through?.model === across)

/** Sends anonymous requests. */
const senderOn = async (options: object) => {
  const auth = { authenticate: () => null }
  const app = await onFastify({ ...options, auth }, { base: '', onEntry: () => undefined })
  onTestFinished(app.stop)
  return senderTo(app)
}

const placeOf = async (ddl: readonly string[]): Promise<Place> => {
  const place = await openPlace('sqlite', ddl)
  onTestFinished(() => place.drop())
  return place
}

/** The status of an anonymous request along the relations across each join table, to models that anyone may read. */
const statusesOf = async ({ models, end }: OpenedOrm, joins: readonly string[]) => {
  onTestFinished(() => void end())
  const open = models.models.filter(({ name }) => !joins.includes(name))
  const modelConfig = Object.fromEntries(open.map(({ name }) => [name, { public: 'read' }]))
  const send = await senderOn({ models, controllers: [], modelConfig })
  const found = joins.flatMap((join) => relationOf(models, join) ?? [])
  return Promise.all(
    found.map(async ({ path, name, through }) => [
      through?.model,
      (await send('GET', `/${path}/?include=${name}`)).status,
      (await send('GET', `/${path}/?${name}=null`)).status,
    ]),
  )
}

describe('a join table that only joins needs no permission, and one with other columns does', () => {
  it.each(Object.entries(shapeStages))('on %s', async (_orm, stage) => {
    const opened = await stage.open(await placeOf(shapeTables(stage).ddl))
    const statuses = await statusesOf(opened, ['ContentLabel', 'Membership'])
    expect(statuses[0]).toEqual(['ContentLabel', 200, 200])
    for (const status of statuses.slice(1)) expect(status).toEqual(['Membership', 401, 401])
  })

  it('from the start of each relation across it, also if another one begins at a class of the same table', async () => {
    const stage = shapeStages['TypeORM']
    if (stage === undefined) throw new Error('TypeORM has no stage.')
    const place = await placeOf(shapeTables(stage).ddl)
    for (const statement of [
      "insert into contents (id, tenant_id, kind, title) values (1, 1, 'post', 'a')",
      'insert into remarks (id, content_id, post_id) values (1, 1, 1)',
    ])
      await place.rows(statement)
    const { models, end } = await stage.open(place)
    onTestFinished(() => void end())
    const permissions = { read: (_request: unknown, record?: object) => record !== undefined }
    const controllers = [controllerFor('Post', { permissions } as never)]
    const open = ['Remark', 'Content', 'Label'].map((name) => [name, { public: 'read' }])
    const send = await senderOn({ models, controllers, modelConfig: Object.fromEntries(open) })
    const statuses = ['', 'remarks.content.labels', 'remarks.content.labels,labels', 'labels'].map(
      async (include) => (await send('GET', `/posts/1?include=${include}`)).status,
    )
    expect(await Promise.all(statuses)).toEqual([200, 200, 401, 401])
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
    expect(await statusesOf(await open(await placeOf([])), ['PostTag', 'Link'])).toEqual([
      ['PostTag', 200, 200],
      ['Link', 200, 200],
    ])
  })
})
