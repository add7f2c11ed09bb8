import { defineEntity, p, Type } from '@mikro-orm/core'
import { mikroOrmModels } from '../../../../src/entry/mikro-orm.ts'
import { type OpenedOrm, openMikroOrm, type Place } from '../../orm-places.ts'
import { strips, stripTable } from './tables.ts'

class Marks extends Type<readonly string[] | null, string | null> {
  override convertToDatabaseValue(value: readonly string[] | null): string | null {
    return value?.join('|') ?? null
  }

  override convertToJSValue(stored: string | null): readonly string[] | null {
    return stored?.split('|') ?? null
  }

  override getColumnType(): string {
    return 'text'
  }
}

const text = () => p.string().length(20)
const id = p.integer().primary()
const owned = { id, tenantId: p.integer() }

const Account = defineEntity({
  ...{ name: 'Account', tableName: 'accounts' },
  properties: {
    ...{ ...owned, name: text(), code: text().nullable().unique(), marks: p.type(Marks).nullable() },
    parent: () => p.manyToOne(Account).nullable(),
    children: () => p.oneToMany(Account).mappedBy('parent'),
    deletedAt: p.datetime(3).nullable(),
    memberships: () => p.oneToMany(Membership).mappedBy('account'),
    teams: () => p.manyToMany(Team).pivotEntity(() => Membership),
    posts: () => p.oneToMany(Post).mappedBy('account'),
    ...Object.fromEntries(
      strips.map((strip) => [
        stripTable(strip),
        () => p.oneToMany(Strips[strip] as never).mappedBy('account' as never),
      ]),
    ),
  },
  filters: { living: { name: 'living', cond: { deletedAt: null }, default: true } },
})
const Team = defineEntity({
  ...{ name: 'Team', tableName: 'teams' },
  properties: {
    ...{ ...owned, name: text() },
    memberships: () => p.oneToMany(Membership).mappedBy('team'),
    accounts: () => p.manyToMany(Account).mappedBy('teams'),
  },
})
const Membership = defineEntity({
  ...{ name: 'Membership', tableName: 'memberships', uniques: [{ properties: ['account', 'team'] }] },
  properties: {
    id,
    account: () => p.manyToOne(Account),
    team: () => p.manyToOne(Team),
    level: p.integer().default(1),
  },
})
const Label = defineEntity({
  ...{ name: 'Label', tableName: 'labels' },
  properties: { ...owned, name: text(), posts: () => p.manyToMany(Post).mappedBy('labels') },
})
const Content = defineEntity({
  ...{ name: 'Content', tableName: 'contents', discriminatorColumn: 'kind', discriminatorValue: 'content' },
  properties: { ...owned, title: text(), remarks: () => p.oneToMany(Remark).mappedBy('content') },
})
const Post = defineEntity({
  ...{ name: 'Post', extends: Content, discriminatorValue: 'post' },
  properties: {
    account: () => p.manyToOne(Account).nullable(),
    labels: () =>
      p.manyToMany(Label).pivotTable('content_labels').joinColumn('content_id').inverseJoinColumn('label_id'),
  },
})
const Photo = defineEntity({
  ...{ name: 'Photo', extends: Content, discriminatorValue: 'photo' },
  properties: { size: p.integer().nullable() },
})
const Remark = defineEntity({
  ...{ name: 'Remark', tableName: 'remarks' },
  properties: {
    ...{ id, text: text().nullable() },
    content: () => p.manyToOne(Content).nullable(),
    post: () => p.manyToOne(Post).nullable(),
  },
})
const Slot = defineEntity({
  ...{ name: 'Slot', tableName: 'slots' },
  properties: {
    ...{ room: p.string().length(10).primary(), place: p.integer().primary() },
    ...{ tenantId: p.integer(), label: text().nullable() },
    tickets: () => p.oneToMany(Ticket).mappedBy('slot'),
  },
})
const Ticket = defineEntity({
  ...{ name: 'Ticket', tableName: 'tickets' },
  properties: {
    ...owned,
    slot: () => p.manyToOne(Slot).nullable().joinColumns('room', 'place'),
    account: () => p.manyToOne(Account).nullable().targetKey('code').joinColumn('account_code'),
  },
})
const Strips = Object.fromEntries(
  strips.map((strip) => [
    strip,
    defineEntity({
      ...{ name: strip, tableName: stripTable(strip) },
      properties: { ...owned, account: () => p.manyToOne(Account) },
    }),
  ]),
)

export const mikroOrm = async (place: Place): Promise<OpenedOrm> => {
  const entities = [Account, Team, Membership, Label, Content, Post, Photo, Remark, Slot, Ticket]
  const orm = await openMikroOrm(place, { entities: [...entities, ...Object.values(Strips)] as never })
  return { models: mikroOrmModels(orm), end: () => orm.close(true) }
}
