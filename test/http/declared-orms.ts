import { EntitySchema as MikroSchema } from '@mikro-orm/core'
import { DataTypes, Sequelize } from 'sequelize'
import { DataSource, EntitySchema } from 'typeorm'
import { mikroOrmModels } from '../../src/entry/mikro-orm.ts'
import { prismaModels } from '../../src/entry/prisma.ts'
import { sequelizeModels } from '../../src/entry/sequelize.ts'
import { typeormModels } from '../../src/entry/typeorm.ts'
import { generate } from '../source/prisma/generated.ts'
import {
  type OpenedOrm,
  openMikroOrm,
  type Place,
  prismaAdapter,
  prismaProviders,
  sequelizeOptions,
  typeormOptions,
} from './orm-places.ts'

/** A column, as every ORM can declare it. A number is the length of a text. */
interface Column {
  readonly type: 'int' | 'text' | number
  readonly key?: 'counted' | 'given'
  readonly nullable?: boolean
  /** The name of its constraint. */
  readonly unique?: string
  readonly default?: number
  /** The model whose `id` it has, by a relation that has its name without `_id`. */
  readonly refers?: string
}

/** Model name -> its table and columns. */
export type Declared = Readonly<
  Record<string, { readonly table: string; readonly columns: Readonly<Record<string, Column>> }>
>

type OpenOrm = (place: Place, declared: Declared, onStatement?: (text: string) => void) => Promise<OpenedOrm>

const stemOf = (column: string): string => column.replace(/_id$/, '')

/** The columns that refer to another model, or those that do not, each with what an ORM makes of it. */
const made = <T>(
  columns: Declared[string]['columns'],
  areRelations: boolean,
  make: (column: Column, name: string) => readonly [name: string, T],
): Readonly<Record<string, T>> =>
  Object.fromEntries(
    Object.entries(columns)
      .filter(([, { refers }]) => (refers !== undefined) === areRelations)
      .map(([name, column]) => make(column, name)),
  )

const openTypeorm: OpenOrm = async (place, declared, onStatement) => {
  const columnOf = ({ type, key, nullable = false, default: value }: Column) => ({
    ...(typeof type === 'number' ? { type: 'varchar', length: type } : { type }),
    ...{ nullable, primary: key !== undefined, ...(value !== undefined && { default: value }) },
    ...(key === 'counted' && { generated: 'increment' }),
  })
  const entities = Object.entries(declared).map(
    ([name, { table, columns }]) =>
      new EntitySchema({
        ...{ name, tableName: table },
        columns: Object.fromEntries(
          Object.entries(columns).map(([column, each]) => [column, columnOf(each)]),
        ),
        uniques: Object.entries(columns).flatMap(([column, { unique }]) =>
          unique === undefined ? [] : [{ name: unique, columns: [column] }],
        ),
        relations: made(columns, true, ({ refers: target }, column) => [
          stemOf(column),
          { type: 'many-to-one', target, joinColumn: { name: column } },
        ]),
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

const sequelizeTypes = { int: DataTypes.INTEGER, text: DataTypes.TEXT }

const openSequelize: OpenOrm = async (place, declared, onStatement = () => undefined) => {
  const instance = new Sequelize({ ...sequelizeOptions(place), logging: (text) => onStatement(text) })
  for (const [name, { table, columns }] of Object.entries(declared)) {
    const { id, ...others } = made(columns, false, (column, own) => [own, column])
    const attributes = Object.entries(id?.key === 'counted' ? others : { id, ...others }).flatMap(
      ([own, column]) => {
        if (column === undefined) return []
        const { type, key, nullable = false, unique, default: defaultValue } = column
        return [
          [
            own,
            {
              ...{
                type: typeof type === 'number' ? DataTypes.STRING(type) : sequelizeTypes[type],
                allowNull: nullable,
              },
              ...{ primaryKey: key !== undefined, unique: unique !== undefined },
              ...(defaultValue !== undefined && { defaultValue }),
            },
          ],
        ]
      },
    )
    const Model = instance.define(name, Object.fromEntries(attributes), { tableName: table })
    for (const [column, { refers }] of Object.entries(columns))
      if (refers !== undefined)
        Model.belongsTo(instance.model(refers), {
          ...{ as: stemOf(column), foreignKey: { name: column, allowNull: false } },
        })
  }
  return { models: sequelizeModels(instance), end: () => instance.close() }
}

const mikroTypes = { int: 'integer', text: 'text' }

const openMikro: OpenOrm = async (place, declared, onStatement) => {
  const entities = Object.entries(declared).map(
    ([name, { table, columns }]) =>
      new MikroSchema({
        ...{ name, tableName: table },
        properties: {
          ...made(columns, false, ({ type, key, unique, nullable, default: value }, column) => [
            column,
            {
              ...(typeof type === 'number' ? { type: 'string', length: type } : { type: mikroTypes[type] }),
              ...{
                fieldName: column,
                primary: key !== undefined,
                nullable,
                unique,
                ...(value !== undefined && { default: value }),
              },
            },
          ]),
          ...made(columns, true, ({ refers }, column) => [
            stemOf(column),
            { kind: 'm:1', entity: () => refers },
          ]),
        },
      } as never),
  )
  const orm = await openMikroOrm(place, {
    entities,
    ...(onStatement && { debug: ['query'], logger: onStatement }),
  })
  return { models: mikroOrmModels(orm), end: () => orm.close(true) }
}

const prismaSchema = (declared: Declared): string =>
  Object.entries(declared)
    .map(([name, { table, columns }]) => {
      const keys = Object.keys(columns).filter((column) => columns[column]?.key !== undefined)
      const fields = Object.entries(columns).map(
        ([column, { type, key, nullable, unique, default: value, refers }]) => [
          column,
          (type === 'int' ? 'Int' : 'String') + (nullable ? '?' : ''),
          ...(typeof type === 'number' ? [`@db.VarChar(${type})`] : []),
          ...(key !== undefined && keys.length === 1 ? ['@id'] : []),
          ...(key === 'counted' ? ['@default(autoincrement())'] : []),
          ...(unique === undefined ? [] : [`@unique(map: "${unique}")`]),
          ...(value === undefined ? [] : [`@default(${value})`]),
          ...(refers === undefined
            ? []
            : [`\n${stemOf(column)} ${refers} @relation(fields: [${column}], references: [id])`]),
        ],
      )
      const referring = Object.entries(declared).filter(([, other]) =>
        Object.values(other.columns).some(({ refers }) => refers === name),
      )
      const lines = [
        ...fields.map((parts) => parts.join(' ')),
        ...referring.map(([other, { table: list }]) => `${list} ${other}[]`),
        ...(keys.length > 1 ? [`@@id([${keys.join()}])`] : []),
        `@@map("${table}")`,
      ]
      return `model ${name} {\n${lines.join('\n')}\n}`
    })
    .join('\n')

const openPrisma: OpenOrm = async (place, declared, onStatement) => {
  const schema = prismaSchema(declared)
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
