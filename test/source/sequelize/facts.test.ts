import fc from 'fast-check'
import { DataTypes, type Model, type ModelStatic, type Sequelize } from 'sequelize'
import { expect, it } from 'vitest'
import { type DeclaredModel, expectAllOf, MANY_RELATIONS, requestsTo } from '../facts.ts'
import { expectKept } from '../kept.ts'
import { onEachDatabase, openModels } from './databases.ts'
import { onSqlite } from './shop.ts'

const plain = { timestamps: false }
const { STRING, INTEGER, BOOLEAN } = DataTypes

const defineAll = (sequelize: Sequelize): void => {
  const User = sequelize.define('User', { name: STRING(20), slug: { type: STRING(20), unique: true } }, plain)
  const Team = sequelize.define('Team', { name: { type: STRING(30), allowNull: false } }, plain)
  const Role = sequelize.define('Role', { state: DataTypes.ENUM('new', 'old') }, plain)
  const Membership = sequelize.define(
    'Membership',
    {
      id: { type: INTEGER, primaryKey: true, autoIncrement: true },
      level: { type: INTEGER, allowNull: false, defaultValue: 1 },
    },
    plain,
  )
  User.belongsToMany(Team, { through: Membership, as: 'teams' })
  Team.belongsToMany(User, { through: Membership, as: 'members' })
  // The same table joins users and roles, too.
  User.belongsToMany(Role, { through: { model: Membership, unique: false }, as: 'roles' })
  Role.belongsToMany(User, { through: { model: Membership, unique: false }, as: 'owners' })
  const Folder = sequelize.define('Folder', {}, { paranoid: true })
  const Shelf = sequelize.define(
    'Shelf',
    { active: BOOLEAN },
    { ...plain, defaultScope: { where: { active: true } } },
  )
  const Paper = sequelize.define('Paper', {}, plain)
  Paper.belongsTo(Folder, { as: 'folder', foreignKey: 'folderId' })
  Paper.belongsTo(Shelf, { as: 'shelf', foreignKey: 'shelfId' })
  Paper.belongsTo(User, { as: 'user', foreignKey: 'userSlug', targetKey: 'slug' })
  // Two models of one table, each with the records of its kind.
  const movement = { tableName: 'movements', ...plain }
  const ofKind = (kind: string) => ({ kind: { type: STRING(10), defaultValue: kind } })
  const Payment = sequelize.define('Payment', ofKind('p'), {
    ...movement,
    defaultScope: { where: { kind: 'p' } },
  })
  const Refund = sequelize.define('Refund', ofKind('r'), {
    ...movement,
    defaultScope: { where: { kind: 'r' } },
  })
  const Receipt = sequelize.define('Receipt', {}, plain)
  Receipt.belongsTo(Refund, { as: 'refund', foreignKey: 'refundId' })
  Refund.hasMany(Receipt, { as: 'receipts', foreignKey: 'refundId' })
  Payment.hasMany(Receipt, { as: 'receipts', foreignKey: 'paymentId' })
  // The keys of its records may be other than the primary one.
  for (let at = 0; at < MANY_RELATIONS; at += 1) {
    const note = sequelize.define(`Note${at}`, { text: STRING(20) }, plain)
    note.belongsTo(User, { as: 'user', foreignKey: 'userId' })
    User.hasMany(note, { as: `notes${at}`, foreignKey: 'userId' })
  }
}

const declaredBy = (model: ModelStatic<Model>): DeclaredModel => ({
  model: model.name,
  primaryKey: model.primaryKeyAttributes,
  fields: Object.entries(model.getAttributes()).map(([name, { allowNull, primaryKey, type }]) => {
    const { _length: length, values } = type as unknown as { _length?: unknown; values?: readonly string[] }
    return {
      ...{ name, nullable: allowNull !== false && primaryKey !== true },
      ...(typeof length === 'number' && { maxLength: length }),
      ...(values && { values }),
    }
  }),
  uniques: Object.values(
    (model as unknown as { uniqueKeys: Record<string, { fields: string[] }> }).uniqueKeys,
  ).map(({ fields }) => fields),
  relations: Object.values(model.associations).map(({ as, target, associationType }) => ({
    ...{ name: as, model: target.name },
    kind: associationType === 'BelongsTo' ? ('to-one' as const) : ('to-many' as const),
  })),
})

it('relations across a join table with its own key are read, filtered, counted and written', async () => {
  const { source } = await openModels(await onSqlite(), defineAll)
  const send = await requestsTo(source, { modelConfig: { User: { write: ['teams'] } } })
  await send('POST', '/teams/', { name: 'red' })
  await send('POST', '/teams/', { name: 'blue' })
  expect((await send('POST', '/users/', { name: 'Ann', teams: [1, 2] })).status).toBe(201)
  expect((await send('PUT', '/users/1', { name: 'Ann', teams: [2] })).status).toBe(200)
  expect((await send('GET', '/users/1?include=teams(count=exact)')).json).toMatchObject({
    ...{ teams: [{ name: 'blue' }], _related: { teams: { count: 1 } } },
  })
  expect((await send('GET', '/users/1/teams/')).json).toMatchObject({ count: 1 })
  expect((await send('GET', '/teams/?q=members.name==Ann')).json).toMatchObject({ items: [{ name: 'blue' }] })
  expect((await send('GET', '/memberships/')).json).toMatchObject({ items: [{ TeamId: 2, level: 1 }] })
})

it('records that are joined twice are listed and counted once', async () => {
  const { sequelize, source } = await openModels(await onSqlite(), defineAll)
  const send = await requestsTo(source)
  const { User, Role, Membership } = sequelize.models as Record<string, ModelStatic<Model>>
  await User?.create({ name: 'Ann' })
  await Role?.bulkCreate([{ state: 'new' }, { state: 'old' }])
  await Membership?.bulkCreate([1, 1, 2].map((RoleId) => ({ UserId: 1, RoleId })))
  expect((await send('GET', '/users/1?include=roles(count=exact;limit=1)')).json).toMatchObject({
    ...{ roles: [{ id: 1 }], _related: { roles: { count: 2, has_more: true } } },
  })
})

it('a body cannot refer to a record that is deleted, outside of the default scope or of another model', async () => {
  const { sequelize, source } = await openModels(await onSqlite(), defineAll)
  const send = await requestsTo(source)
  const { Folder, Shelf, Payment, Refund } = sequelize.models as Record<string, ModelStatic<Model>>
  await (await Folder?.create())?.destroy()
  await Shelf?.create({ active: false })
  await Payment?.create()
  await Refund?.create()
  for (const [path, field, hidden] of [
    ['/papers/', 'folderId', 1],
    ['/papers/', 'shelfId', 1],
    ['/receipts/', 'refundId', 1],
  ] as const)
    for (const value of [hidden, 99])
      expect((await send('POST', path, { [field]: value })).json, `${field} ${value}`).toMatchObject({
        errors: [{ pointer: `/${field}`, code: 'missing_reference' }],
      })
  expect((await send('POST', '/receipts/', { refundId: 2 })).status).toBe(201)
})

onEachDatabase('models', (open) => {
  it('have all that Sequelize knows of them, and their records keep what a GET shows', async () => {
    const { sequelize, source } = await openModels(await open(), defineAll)
    expectAllOf(source, Object.values(sequelize.models as Record<string, ModelStatic<Model>>).map(declaredBy))
    const values = { 'Payment.kind': fc.constant('p'), 'Refund.kind': fc.constant('r') }
    await expectKept(source, { runs: 5, values })
  })
})
