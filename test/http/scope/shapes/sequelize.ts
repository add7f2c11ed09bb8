import { DataTypes, type Model, type ModelStatic, Sequelize } from 'sequelize'
import { sequelizeModels } from '../../../../src/entry/sequelize.ts'
import { type OpenedOrm, type Place, sequelizeOptions } from '../../orm-places.ts'
import { strips, stripTable } from './tables.ts'

const text = () => ({ type: DataTypes.STRING(20), allowNull: false })
const optional = () => ({ type: DataTypes.STRING(20) })
const whole = () => ({ type: DataTypes.INTEGER, allowNull: false })
const tenant = () => ({ tenantId: { ...whole(), field: 'tenant_id' } })

const defineAll = (sequelize: Sequelize): void => {
  const define = (name: string, tableName: string, columns: object, options: object = {}) =>
    sequelize.define(name, columns as never, { tableName, ...options })
  const Account = define(
    ...(['Account', 'accounts'] as const),
    {
      ...{ ...tenant(), name: text(), code: { ...optional(), unique: true } },
      marks: {
        type: DataTypes.TEXT,
        get(this: Model) {
          const stored = this.getDataValue('marks' as never) as string | null | undefined
          return stored?.split('|') ?? stored
        },
        set(this: Model, value: readonly string[] | null) {
          this.setDataValue('marks' as never, (value?.join('|') ?? null) as never)
        },
      },
      deletedAt: { type: DataTypes.DATE, field: 'deleted_at' },
    },
    { timestamps: true, paranoid: true, createdAt: false, updatedAt: false },
  )
  const Team = define('Team', 'teams', { ...tenant(), name: text() })
  const Membership = define('Membership', 'memberships', {
    id: { type: DataTypes.INTEGER, primaryKey: true, autoIncrement: true },
    level: { ...whole(), defaultValue: 1 },
  })
  const Label = define('Label', 'labels', { ...tenant(), name: text() })
  const ofKind = (kind: string) => ({ ...tenant(), title: text(), kind: { ...text(), defaultValue: kind } })
  const having = (kind: string) => ({ defaultScope: { where: { kind } } })
  const Content = define('Content', 'contents', ofKind('content'))
  const Post = define('Post', 'contents', ofKind('post'), having('post'))
  define('Photo', 'contents', { ...ofKind('photo'), size: DataTypes.INTEGER }, having('photo'))
  const Remark = define('Remark', 'remarks', { text: optional() })
  define('Slot', 'slots', {
    ...{ room: { type: DataTypes.STRING(10), primaryKey: true }, place: { ...whole(), primaryKey: true } },
    ...{ ...tenant(), label: optional() },
  })
  const Ticket = define('Ticket', 'tickets', {
    ...tenant(),
    room: DataTypes.STRING(10),
    place: DataTypes.INTEGER,
  })

  const pair = (
    [one, as]: readonly [ModelStatic<Model>, string],
    [other, many]: readonly [ModelStatic<Model>, string],
    foreignKey: object,
  ): void => {
    other.belongsTo(one, { as, foreignKey: foreignKey as never })
    one.hasMany(other, { as: many, foreignKey: foreignKey as never })
  }
  const key = (name: string, field: string, allowNull = true) => ({ name, field, allowNull })
  const accountId = key('accountId', 'account_id')
  pair([Account, 'parent'], [Account, 'children'], key('parentId', 'parent_id'))
  pair([Account, 'account'], [Membership, 'memberships'], { ...accountId, allowNull: false })
  pair([Team, 'team'], [Membership, 'memberships'], key('teamId', 'team_id', false))
  const through = { through: Membership, foreignKey: 'accountId', otherKey: 'teamId' }
  Account.belongsToMany(Team, { as: 'teams', ...through })
  Team.belongsToMany(Account, {
    ...{ as: 'accounts', through: Membership, foreignKey: 'teamId', otherKey: 'accountId' },
  })
  pair([Account, 'account'], [Post, 'posts'], accountId)
  pair([Content, 'content'], [Remark, 'remarks'], key('contentId', 'content_id'))
  pair([Post, 'post'], [Remark, 'postRemarks'], key('postId', 'post_id'))
  const joined = define('ContentLabel', 'content_labels', {})
  const [content, label] = [
    { name: 'contentId', field: 'content_id' },
    { name: 'labelId', field: 'label_id' },
  ]
  Post.belongsToMany(Label, {
    as: 'labels',
    through: joined,
    foreignKey: content as never,
    otherKey: label as never,
  })
  Label.belongsToMany(Post, {
    as: 'posts',
    through: joined,
    foreignKey: label as never,
    otherKey: content as never,
  })
  joined.belongsTo(Post, { as: 'post', foreignKey: content as never })
  Ticket.belongsTo(Account, {
    ...{ as: 'account', foreignKey: { name: 'accountCode', field: 'account_code' }, targetKey: 'code' },
  })
  for (const strip of strips)
    pair(
      ...[
        [Account, 'account'] as const,
        [define(strip, stripTable(strip), tenant()), stripTable(strip)] as const,
      ],
      { ...accountId, allowNull: false },
    )
}

export const sequelize = async (place: Place): Promise<OpenedOrm> => {
  const instance = new Sequelize(sequelizeOptions(place))
  defineAll(instance)
  return { models: sequelizeModels(instance), end: () => instance.close() }
}
