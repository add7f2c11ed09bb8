import { defineEntity, p } from '@mikro-orm/core'
import { DataTypes, Sequelize } from 'sequelize'
import { DataSource, EntitySchema } from 'typeorm'
import { mikroOrmModels } from '../../../src/entry/mikro-orm.ts'
import { sequelizeModels } from '../../../src/entry/sequelize.ts'
import { typeormModels } from '../../../src/entry/typeorm.ts'
import {
  counted,
  type Kind,
  type OpenedOrm,
  openMikroOrm,
  type Place,
  sequelizeOptions,
  typeormOptions,
} from '../orm-places.ts'

/** Opens cards, whose version the ORM raises, and their lines. */
type OpenOrm = (place: Place) => Promise<OpenedOrm>

const time = { sqlite: 'datetime', postgres: 'timestamptz', mariadb: 'datetime(3)', mysql: 'datetime(3)' }

export const ddlOf = (kind: Kind): readonly string[] => [
  `create table cards (id ${counted[kind]}, title varchar(20) not null, revision int not null default 0, deleted_at ${time[kind]} null)`,
  `create table card_lines (id ${counted[kind]}, card_id int not null references cards (id), text varchar(20) not null)`,
]

const typeorm: OpenOrm = async (place) => {
  const id = { type: 'int', primary: true, generated: 'increment' } as const
  const text = { type: 'varchar', length: 20 } as const
  const deleted =
    place.kind === 'postgres' ? ({ type: 'timestamptz' } as const) : ({ type: 'datetime' } as const)
  const dataSource = new DataSource({
    ...typeormOptions(place),
    entities: [
      new EntitySchema({
        ...{ name: 'Card', tableName: 'cards' },
        columns: {
          ...{ id, title: text, revision: { type: 'int', version: true } },
          deleted_at: { ...deleted, nullable: true, ...(place.kind.startsWith('m') && { precision: 3 }) },
        },
        relations: { lines: { type: 'one-to-many', target: 'CardLine', inverseSide: 'card' } },
      } as never),
      new EntitySchema({
        ...{ name: 'CardLine', tableName: 'card_lines' },
        columns: { id, card_id: { type: 'int' }, text },
        relations: {
          card: {
            ...{ type: 'many-to-one', target: 'Card', inverseSide: 'lines', nullable: false },
            joinColumn: { name: 'card_id' },
          },
        },
      } as never),
    ],
  })
  await dataSource.initialize()
  return { models: typeormModels(dataSource), end: () => dataSource.destroy() }
}

const sequelize: OpenOrm = async (place) => {
  const instance = new Sequelize(sequelizeOptions(place))
  const text = () => ({ type: DataTypes.STRING(20), allowNull: false })
  const Card = instance.define(
    'Card',
    { title: text(), deleted_at: place.kind.startsWith('m') ? DataTypes.DATE(3) : DataTypes.DATE },
    { tableName: 'cards', version: 'revision' },
  )
  const Line = instance.define('CardLine', { text: text() }, { tableName: 'card_lines' })
  Card.hasMany(Line, { as: 'lines', foreignKey: { name: 'card_id', allowNull: false } })
  Line.belongsTo(Card, { as: 'card', foreignKey: { name: 'card_id', allowNull: false } })
  return { models: sequelizeModels(instance), end: () => instance.close() }
}

const Card = defineEntity({
  ...{ name: 'Card', tableName: 'cards' },
  properties: {
    ...{ id: p.integer().primary(), title: p.string().length(20), revision: p.integer().version() },
    deleted_at: p.datetime(3).nullable(),
    lines: () => p.oneToMany(Line).mappedBy('card'),
  },
})
const Line = defineEntity({
  ...{ name: 'CardLine', tableName: 'card_lines' },
  properties: {
    ...{ id: p.integer().primary(), text: p.string().length(20) },
    card: () => p.manyToOne(Card).inversedBy('lines'),
  },
})

const mikroOrm: OpenOrm = async (place) => {
  const orm = await openMikroOrm(place, { entities: [Card, Line] })
  return { models: mikroOrmModels(orm), end: () => orm.close(true) }
}

/** The ORMs that raise versions themselves. */
export const ormCards = {
  ...{ typeorm, sequelize, 'mikro-orm': mikroOrm },
} as const satisfies Readonly<Record<string, OpenOrm>>
