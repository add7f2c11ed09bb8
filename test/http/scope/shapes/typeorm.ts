import { DataSource, EntitySchema, type EntitySchemaColumnOptions } from 'typeorm'
import { typeormModels } from '../../../../src/entry/typeorm.ts'
import { type OpenedOrm, type Place, typeormOptions } from '../../orm-places.ts'
import { strips, stripTable } from './tables.ts'

class Content {}
class Post extends Content {}
class Photo extends Content {}

const int = { type: 'int' } as const
const text = (more: Partial<EntitySchemaColumnOptions> = {}): EntitySchemaColumnOptions => ({
  ...{ type: 'varchar', length: 20 },
  ...more,
})
const nullable = { nullable: true } as const
const owned = {
  id: { ...int, primary: true, generated: 'increment' },
  tenantId: { ...int, name: 'tenant_id' },
}

const toOne = (target: string, column: string, inverseSide?: string) => ({
  ...{ type: 'many-to-one', target, joinColumn: { name: column } },
  ...(inverseSide !== undefined && { inverseSide }),
})
const toMany = (target: string, inverseSide: string) => ({ type: 'one-to-many', target, inverseSide })

const schema = (
  name: string,
  tableName: string,
  columns: object,
  relations: object = {},
  more: object = {},
) => new EntitySchema({ name, tableName, columns, relations, ...more } as never)

const entities = () => [
  schema(
    ...(['Account', 'accounts'] as const),
    {
      ...{ ...owned, name: text(), code: text(nullable) },
      marks: {
        ...{ type: 'text', nullable: true },
        transformer: {
          to: (value: readonly string[] | null | undefined) => value?.join('|') ?? value,
          from: (stored: string | null) => stored?.split('|') ?? null,
        },
      },
      parentId: { ...int, name: 'parent_id', nullable: true },
      deletedAt: { name: 'deleted_at', type: 'datetime', deleteDate: true, nullable: true },
    },
    {
      parent: { ...toOne('Account', 'parent_id', 'children'), nullable: true },
      children: toMany('Account', 'parent'),
      memberships: toMany('Membership', 'account'),
      posts: toMany('Post', 'account'),
      ...Object.fromEntries(strips.map((strip) => [stripTable(strip), toMany(strip, 'account')])),
    },
    { uniques: [{ name: 'accounts_code', columns: ['code'] }] },
  ),
  schema('Team', 'teams', { ...owned, name: text() }, { memberships: toMany('Membership', 'team') }),
  schema(
    ...(['Membership', 'memberships'] as const),
    {
      ...{ id: owned.id, accountId: { ...int, name: 'account_id' }, teamId: { ...int, name: 'team_id' } },
      level: { ...int, default: 1 },
    },
    { account: toOne('Account', 'account_id', 'memberships'), team: toOne('Team', 'team_id', 'memberships') },
    { uniques: [{ name: 'memberships_pair', columns: ['accountId', 'teamId'] }] },
  ),
  schema(
    ...(['Label', 'labels'] as const),
    { ...owned, name: text() },
    { posts: { type: 'many-to-many', target: 'Post', inverseSide: 'labels' } },
  ),
  schema(
    ...(['Content', 'contents'] as const),
    { ...owned, title: text() },
    { remarks: toMany('Remark', 'content') },
    {
      ...{ target: Content, discriminatorValue: 'content' },
      inheritance: { pattern: 'STI', column: { name: 'kind', ...text() } },
    },
  ),
  schema(
    ...(['Post', undefined as never] as const),
    { accountId: { ...int, name: 'account_id', nullable: true } },
    {
      account: { ...toOne('Account', 'account_id', 'posts'), nullable: true },
      labels: {
        ...{ type: 'many-to-many', target: 'Label', inverseSide: 'posts' },
        joinTable: {
          ...{ name: 'content_labels', joinColumn: { name: 'content_id' } },
          inverseJoinColumn: { name: 'label_id' },
        },
      },
    },
    { target: Post, type: 'entity-child', discriminatorValue: 'post' },
  ),
  schema(
    ...(['Photo', undefined as never] as const),
    { size: { ...int, nullable: true } },
    {},
    { target: Photo, type: 'entity-child', discriminatorValue: 'photo' },
  ),
  schema(
    ...(['Remark', 'remarks'] as const),
    {
      ...{ id: owned.id, text: text(nullable), contentId: { ...int, name: 'content_id', nullable: true } },
      postId: { ...int, name: 'post_id', nullable: true },
    },
    {
      content: { ...toOne('Content', 'content_id', 'remarks'), nullable: true },
      post: { ...toOne('Post', 'post_id'), nullable: true },
    },
  ),
  schema(
    ...(['Slot', 'slots'] as const),
    {
      ...{ room: text({ primary: true, length: 10 }), place: { ...int, primary: true } },
      ...{ tenantId: owned.tenantId, label: text(nullable) },
    },
    { tickets: toMany('Ticket', 'slot') },
  ),
  schema(
    ...(['Ticket', 'tickets'] as const),
    {
      ...{ ...owned, room: text({ length: 10, nullable: true }), place: { ...int, nullable: true } },
      accountCode: text({ name: 'account_code', nullable: true }),
    },
    {
      slot: {
        ...{ type: 'many-to-one', target: 'Slot', inverseSide: 'tickets', nullable: true },
        joinColumn: ['room', 'place'].map((name) => ({ name, referencedColumnName: name })),
      },
      account: {
        ...{ type: 'many-to-one', target: 'Account', nullable: true },
        joinColumn: { name: 'account_code', referencedColumnName: 'code' },
      },
    },
  ),
  ...strips.map((strip) =>
    schema(
      ...([strip, stripTable(strip)] as const),
      { ...owned, accountId: { ...int, name: 'account_id' } },
      { account: toOne('Account', 'account_id', stripTable(strip)) },
    ),
  ),
]

export const typeorm = async (place: Place): Promise<OpenedOrm> => {
  const dataSource = new DataSource({ ...typeormOptions(place), entities: entities() })
  await dataSource.initialize()
  return { models: typeormModels(dataSource), end: () => dataSource.destroy() }
}
