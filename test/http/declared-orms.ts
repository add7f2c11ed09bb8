import { EntitySchema as MikroSchema } from '@mikro-orm/core'
import { DataTypes, type Model, type ModelStatic, Sequelize } from 'sequelize'
import { DataSource, EntitySchema } from 'typeorm'
import { mikroOrmModels } from '../../src/entry/mikro-orm.ts'
import { prismaModels } from '../../src/entry/prisma.ts'
import { sequelizeModels } from '../../src/entry/sequelize.ts'
import { typeormModels } from '../../src/entry/typeorm.ts'
import { generate } from '../source/prisma/generated.ts'
import type { Column, Columns, Declared } from '../stage/columns.ts'
import { createTable, modelOf } from '../stage/declared.ts'
import {
  dialectOf,
  type Kind,
  type OpenedOrm,
  openMikroOrm,
  openPlace,
  type Place,
  prismaAdapter,
  prismaProviders,
  sequelizeOptions,
  typeormOptions,
} from './orm-places.ts'

type OpenOrm = (place: Place, declared: Declared, onStatement?: (text: string) => void) => Promise<OpenedOrm>

const stemOf = (column: string): string => column.replace(/_id$/, '')

/** The columns that refer to another model, or those that do not, each with what an ORM makes of it. */
const made = <T>(
  columns: Columns,
  areRelations: boolean,
  make: (column: Column, name: string) => readonly [name: string, T],
): Readonly<Record<string, T>> =>
  Object.fromEntries(
    Object.entries(columns)
      .filter(([, { refers }]) => (refers !== undefined) === areRelations)
      .map(([name, column]) => make(column, name)),
  )

/** The tables that refer to one, each with the column. */
const referringTo = (
  key: string,
  declared: Declared,
): readonly (readonly [table: string, column: string])[] =>
  Object.entries(declared).flatMap(([table, columns]) =>
    Object.entries(columns).flatMap(([column, { refers }]) =>
      refers === key ? [[table, column] as const] : [],
    ),
  )

const isTime = ({ type }: Column): boolean => type === 'time' || type === 'seconds'
const onMysql = ({ kind }: Place): boolean => kind === 'mariadb' || kind === 'mysql'

const openTypeorm: OpenOrm = async (place, declared, onStatement) => {
  const typeOf = (column: Column): object => {
    const { type } = column
    if (typeof type === 'number') return { type: 'varchar', length: type }
    if (isTime(column))
      return {
        type: place.kind === 'postgres' ? 'timestamptz' : 'datetime',
        ...(onMysql(place) && { precision: 3 }),
      }
    return { type: type === 'json' ? (place.kind === 'sqlite' ? 'simple-json' : 'json') : type }
  }
  const columnOf = (column: Column): object => ({
    ...{ ...typeOf(column), nullable: column.nullable ?? false, primary: column.key !== undefined },
    ...(column.default !== undefined && { default: column.default }),
    ...(column.key === 'counted' && { generated: 'increment' }),
    ...(column.version && { version: true }),
  })
  const entities = Object.entries(declared).map(
    ([key, columns]) =>
      new EntitySchema({
        ...{ name: modelOf(key), tableName: key },
        columns: Object.fromEntries(
          Object.entries(columns).map(([column, each]) => [column, columnOf(each)]),
        ),
        uniques: Object.entries(columns).flatMap(([column, { unique }]) =>
          typeof unique === 'string' ? [{ name: unique, columns: [column] }] : [],
        ),
        relations: {
          ...made(columns, true, ({ refers = '', nullable = false }, column) => [
            stemOf(column),
            {
              ...{ type: 'many-to-one', target: modelOf(refers), inverseSide: key, nullable },
              joinColumn: { name: column },
            },
          ]),
          ...Object.fromEntries(
            referringTo(key, declared).map(([table, column]) => [
              table,
              { type: 'one-to-many', target: modelOf(table), inverseSide: stemOf(column) },
            ]),
          ),
        },
      } as never),
  )
  const dataSource = new DataSource({
    ...{ ...typeormOptions(place), entities },
    ...(onStatement && {
      logging: ['query'],
      logger: { logQuery: onStatement, logQueryError: () => undefined } as never,
    }),
  })
  await dataSource.initialize()
  return { models: typeormModels(dataSource), end: () => dataSource.destroy() }
}

const sequelizeTypeOf = (column: Column, place: Place): unknown => {
  const { type } = column
  if (typeof type === 'number') return DataTypes.STRING(type)
  if (isTime(column)) return onMysql(place) ? DataTypes.DATE(3) : DataTypes.DATE
  if (type === 'boolean') return DataTypes.BOOLEAN
  return { int: DataTypes.INTEGER, json: DataTypes.JSON, text: DataTypes.TEXT }[type as 'int']
}

const openSequelize: OpenOrm = async (place, declared, onStatement = () => undefined) => {
  const instance = new Sequelize({ ...sequelizeOptions(place), logging: (text) => onStatement(text) })
  const Models: Record<string, ModelStatic<Model>> = {}
  for (const [key, columns] of Object.entries(declared)) {
    // What it counts, raises and relates it declares itself.
    const attributes = Object.entries(made(columns, false, (column, own) => [own, column]))
      .filter(([, { key: kind, version }]) => kind !== 'counted' && !version)
      .map(([own, column]) => [
        own,
        {
          ...{ type: sequelizeTypeOf(column, place), allowNull: column.nullable ?? false },
          ...{ primaryKey: column.key !== undefined, unique: column.unique !== undefined },
          ...(column.default !== undefined && { defaultValue: column.default }),
        },
      ])
    const version = Object.keys(columns).find((name) => columns[name]?.version)
    Models[key] = instance.define(modelOf(key), Object.fromEntries(attributes), {
      ...{ tableName: key, ...(version !== undefined && { version }) },
    })
  }
  for (const [key, columns] of Object.entries(declared))
    for (const [column, { refers, nullable = false }] of Object.entries(columns)) {
      const [from, to] = [Models[key], Models[refers ?? '']]
      if (from === undefined || to === undefined) continue
      const foreignKey = () => ({ name: column, allowNull: nullable })
      from.belongsTo(to, { as: stemOf(column), foreignKey: foreignKey() })
      to.hasMany(from, { as: key, foreignKey: foreignKey() })
    }
  return { models: sequelizeModels(instance), end: () => instance.close() }
}

const mikroTypeOf = ({ type }: Column): object => {
  if (typeof type === 'number') return { type: 'string', length: type }
  const types: Readonly<Record<string, object>> = {
    ...{ int: { type: 'integer' }, time: { type: 'datetime', length: 3 } },
    seconds: { type: 'datetime', length: 3 },
  }
  return types[type as string] ?? { type }
}

const openMikro: OpenOrm = async (place, declared, onStatement) => {
  const entities = Object.entries(declared).map(
    ([table, columns]) =>
      new MikroSchema({
        ...{ name: modelOf(table), tableName: table },
        properties: {
          ...made(columns, false, (column, name) => [
            name,
            {
              ...{ ...mikroTypeOf(column), fieldName: name, primary: column.key !== undefined },
              ...{ nullable: column.nullable, unique: column.unique, version: column.version },
              ...(column.default !== undefined && { default: column.default }),
            },
          ]),
          ...made(columns, true, ({ refers = '', nullable }, column) => [
            stemOf(column),
            { kind: 'm:1', entity: () => modelOf(refers), inversedBy: table, nullable },
          ]),
          ...Object.fromEntries(
            referringTo(table, declared).map(([other, column]) => [
              other,
              { kind: '1:m', entity: () => modelOf(other), mappedBy: stemOf(column) },
            ]),
          ),
        },
      } as never),
  )
  const orm = await openMikroOrm(place, {
    entities,
    ...(onStatement && { debug: ['query'], logger: onStatement }),
  })
  return { models: mikroOrmModels(orm), end: () => orm.close(true) }
}

const prismaTypes: Readonly<Record<string, string>> = {
  ...{ int: 'Int', boolean: 'Boolean', time: 'DateTime', seconds: 'DateTime', json: 'Json' },
}

const prismaSchema = (declared: Declared, kind: Kind): string =>
  Object.entries(declared)
    .map(([table, columns]) => {
      const keys = Object.keys(columns).filter((column) => columns[column]?.key !== undefined)
      const fields = Object.entries(columns).map(
        ([column, { type, key, nullable, unique, default: value, refers }]) => [
          column,
          (prismaTypes[type as string] ?? 'String') + (nullable ? '?' : ''),
          ...(typeof type === 'number' ? [`@db.VarChar(${type})`] : []),
          ...(prismaTypes[type as string] === 'DateTime' && kind === 'postgres'
            ? ['@db.Timestamptz(6)']
            : []),
          ...(key !== undefined && keys.length === 1 ? ['@id'] : []),
          ...(key === 'counted' ? ['@default(autoincrement())'] : []),
          ...(typeof unique === 'string' ? [`@unique(map: "${unique}")`] : []),
          ...(value === undefined ? [] : [`@default(${value})`]),
          ...(refers === undefined
            ? []
            : [
                `\n${stemOf(column)} ${modelOf(refers)}${nullable ? '?' : ''} @relation(fields: [${column}], references: [id])`,
              ]),
        ],
      )
      const lines = [
        ...fields.map((parts) => parts.join(' ')),
        ...referringTo(table, declared).map(([other]) => `${other} ${modelOf(other)}[]`),
        ...(keys.length > 1 ? [`@@id([${keys.join()}])`] : []),
        `@@map("${table}")`,
      ]
      return `model ${modelOf(table)} {\n${lines.join('\n')}\n}`
    })
    .join('\n')

const openPrisma: OpenOrm = async (place, declared, onStatement) => {
  const schema = prismaSchema(declared, place.kind)
  const models = place.kind === 'sqlite' ? schema.replaceAll(/ @db\.\S+/g, '') : schema
  const { metadata, connect } = await generate(prismaProviders[place.kind], models)
  const client = connect(prismaAdapter(place), { log: [{ emit: 'event', level: 'query' }] })
  client.$on('query', ({ query }) => onStatement?.(query))
  return { models: prismaModels(client, metadata), end: () => client.$disconnect() }
}

/** Each ORM, with models that it declares itself. */
export const orms = {
  ...{ prisma: openPrisma, typeorm: openTypeorm, sequelize: openSequelize, 'mikro-orm': openMikro },
} as const satisfies Readonly<Record<string, OpenOrm>>

/** A new database with these tables. */
export const declaredPlace = (kind: Kind, declared: Declared): Promise<Place> =>
  openPlace(
    kind,
    Object.keys(declared).map((key) => createTable(dialectOf(kind), key, declared, { forOrms: true })),
  )
