import { DataSource, type DataSourceOptions, EntitySchema } from 'typeorm'
import { onTestFinished } from 'vitest'
import { everything, type ModelSource, type RecordStore } from '../../../src/entry/source.ts'
import { typeormModels } from '../../../src/entry/typeorm.ts'

export class Customer {
  declare id: number
  declare name: string
  declare password: string
  declare address: { city: string | null; zip: string | null }
}

export class Order {
  declare id: number
  declare note: string | null
  declare total: number
  declare customer: Customer | null
  declare tags: Tag[]
  declare version: number
  declare createdAt: Date
  declare updatedAt: Date
  declare deletedAt: Date | null
  declare from: string | null
}

export class Tag {
  declare id: number
  declare name: string
}

const id = { type: 'int', primary: true, generated: 'increment' } as const

const Address = new EntitySchema<Customer['address']>({
  name: 'Address',
  columns: { city: { type: 'varchar', nullable: true }, zip: { type: 'varchar', nullable: true } },
})

const entities = [
  new EntitySchema<Customer>({
    name: 'Customer',
    target: Customer,
    columns: { id, name: { type: 'varchar' }, password: { type: 'varchar', select: false } },
    embeddeds: { address: { schema: Address } },
  }),
  new EntitySchema<Order>({
    name: 'Order',
    target: Order,
    columns: {
      id,
      note: { type: 'varchar', nullable: true },
      from: { type: 'varchar', nullable: true },
      total: {
        ...{ type: 'decimal', precision: 10, scale: 2 },
        transformer: { to: (value: number) => value, from: (value: string | null) => value && Number(value) },
      },
      version: { type: 'int', version: true },
      createdAt: { type: Date, createDate: true },
      updatedAt: { type: Date, updateDate: true },
      deletedAt: { type: Date, deleteDate: true },
    },
    relations: {
      customer: { type: 'many-to-one', target: 'Customer', nullable: true, inverseSide: 'orders' },
      tags: { type: 'many-to-many', target: 'Tag', joinTable: true },
    },
  }),
  new EntitySchema<Tag>({
    name: 'Tag',
    target: Tag,
    columns: { id, name: { type: 'varchar', unique: true } },
  }),
]

export interface Shop {
  readonly dataSource: DataSource
  readonly source: ModelSource
  store(model: string): RecordStore
}

/** The shop in a new database. Closed when the test ends. */
export const openShop = async (
  options: DataSourceOptions = { type: 'better-sqlite3', database: ':memory:' },
): Promise<Shop> => {
  const dataSource = await new DataSource({
    ...options,
    entities,
    synchronize: true,
  } as DataSourceOptions).initialize()
  onTestFinished(async () => {
    if (dataSource.isInitialized) await dataSource.destroy()
  })
  const source = typeormModels(dataSource)
  const store = (name: string): RecordStore => {
    const model = source.models.find((known) => known.name === name)
    if (model === undefined) throw new Error(`No model ${name}: ${source.models.map((known) => known.name)}.`)
    return source.store(model)
  }
  return { dataSource, source, store }
}

export const all = { filter: everything, order: [], limit: 100, offset: 0 } as const
