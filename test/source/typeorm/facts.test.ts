import { DataSource, type DataSourceOptions, type EntityMetadata } from 'typeorm'
import { expect, it, onTestFinished } from 'vitest'
import { typeormModels } from '../../../src/entry/typeorm.ts'
import { controllerFor } from '../../../src/index.ts'
import { type DeclaredModel, expectAllOf, requestsTo } from '../facts.ts'
import { expectKept } from '../kept.ts'
import { entities, Refund } from './bills.ts'
import { onEachDatabase } from './databases.ts'

const opened = async (options: DataSourceOptions = { type: 'better-sqlite3', database: ':memory:' }) => {
  const dataSource = await new DataSource({
    ...options,
    ...{ synchronize: true, entities: Object.values(entities) },
  } as DataSourceOptions).initialize()
  onTestFinished(() => dataSource.destroy())
  return { dataSource, source: typeormModels(dataSource, entities) }
}

const camel = (name: string): string => name.replace(/\.(.)/g, (_, first: string) => first.toUpperCase())

/** TypeORM adds the foreign keys of all classes of a table to each of them. */
const declaredBy = (metadata: EntityMetadata): DeclaredModel => {
  const { name: model, primaryColumns, relations, parentEntityMetadata } = metadata
  const paths = new Set(relations.map(({ propertyPath }) => propertyPath))
  const columns = metadata.columns.filter(
    ({ isVirtual, isDiscriminator, relationMetadata }) =>
      !isVirtual || (!isDiscriminator && paths.has(relationMetadata?.propertyPath ?? '')),
  )
  const nameOf = (column: (typeof columns)[number]): string =>
    camel(column.isVirtual ? column.databaseName : column.propertyPath)
  const { uniques } = parentEntityMetadata ?? metadata
  return {
    model,
    primaryKey: primaryColumns.map(nameOf),
    fields: columns.map((column) => ({
      ...{ name: nameOf(column), nullable: column.isNullable },
      ...(column.length !== '' && { maxLength: Number(column.length) }),
      ...(column.enum && { values: column.enum.map(String) }),
    })),
    uniques: uniques
      .filter((unique) => unique.columns.every((column) => columns.includes(column)))
      .map((unique) => unique.columns.map(nameOf)),
    relations: relations.map(({ propertyPath, inverseEntityMetadata, isManyToOne, isOneToOneOwner }) => ({
      ...{ name: camel(propertyPath), model: inverseEntityMetadata.name },
      kind: isManyToOne || isOneToOneOwner ? ('to-one' as const) : ('to-many' as const),
    })),
  }
}

it('classes of one table are bound by scopes, and have only their own records', async () => {
  const { dataSource, source } = await opened()
  const send = await requestsTo(source, {
    controllers: [controllerFor('Bill', { scope: () => ({ tenant: 1 }) })],
    modelConfig: { Payment: { write: ['labels'] } },
  })
  await dataSource.query('insert into bill (id, tenant) values (1, 1), (2, 2)')
  await dataSource.query("insert into bill (id, tenant, deletedAt) values (3, 1, '2024-01-01')")
  await dataSource.query("insert into label (id, name) values (1, 'red')")
  for (const path of ['/movements/', '/payments/', '/card-payments/', '/refunds/'])
    for (const billId of [2, 3, 99]) {
      const { status, json } = await send('POST', path, { amount: 1, billId })
      expect([status, json['code'], json['errors']], `${path} ${billId}`).toMatchObject([
        ...[422, 'invalid_body', [{ pointer: '/billId', code: 'missing_reference' }]],
      ])
    }
  const payment = (await send('POST', '/payments/', { amount: 5, billId: 1, labels: [1] })).json['id']
  const refund = (await send('POST', '/refunds/', { amount: 3, billId: 1 })).json['id']
  for (const method of ['PATCH', 'PUT'])
    expect((await send(method, `/payments/${payment}`, { amount: 5, billId: 2 })).status).toBe(422)
  expect((await send('PATCH', `/payments/${payment}`, { addressBillId: 2 })).status).toBe(422)
  // A sibling's key is no field.
  expect((await send('PATCH', `/payments/${payment}`, { byId: null })).json).toMatchObject({
    errors: [{ pointer: '/byId', code: 'unknown_key' }],
  })
  const bill = (await send('GET', '/bills/1?include=payments,refunds,billMovements')).json
  expect(bill).toMatchObject({
    payments: [{ id: payment }],
    refunds: [{ id: refund }],
    billMovements: [{}, {}],
  })
  expect((await send('GET', '/bills/?q=payments.amount==3')).json).toMatchObject({ count: 0 })
  expect((await send('POST', '/bills/1/refunds/', { amount: 1 })).status).toBe(201)
  expect(await dataSource.getRepository(Refund).count()).toBe(2)
  expect((await send('GET', `/payments/${payment}?include=labels,receipts`)).json).toMatchObject({
    ...{ labels: [{ name: 'red' }], receipts: [] },
  })
})

it('a body cannot refer to a record that is deleted', async () => {
  const { dataSource, source } = await opened()
  const send = await requestsTo(source, {})
  await dataSource.query('insert into bill (id, tenant) values (1, 1)')
  await dataSource.query("insert into bill (id, tenant, deletedAt) values (2, 1, '2024-01-01')")
  const statuses = [1, 2].map(
    async (billId) => (await send('POST', '/movements/', { amount: 1, billId })).status,
  )
  expect(await Promise.all(statuses)).toEqual([201, 422])
})

it('references must be of the class that a relation is to, and lists below a record of its own', async () => {
  const { source } = await opened()
  const send = await requestsTo(source)
  const payment = (await send('POST', '/card-payments/', { amount: 5 })).json['id']
  const refund = (await send('POST', '/refunds/', { amount: 3 })).json['id']
  expect((await send('POST', '/receipts/', { paymentId: refund })).json).toMatchObject({
    errors: [{ pointer: '/paymentId', code: 'missing_reference' }],
  })
  expect((await send('POST', '/receipts/', { paymentId: payment, movementId: refund })).status).toBe(201)
  expect((await send('GET', `/refunds/${refund}/receipts/`)).json).toMatchObject({ count: 1 })
  expect((await send('GET', `/payments/${refund}/receipts/`)).status).toBe(404)
  expect((await send('GET', `/receipts/1?include=payment,movement`)).json).toMatchObject({
    ...{ payment: { id: payment }, movement: { id: refund } },
  })
  expect((await send('GET', `/receipts/1?include=refund`)).status).toBe(400)
})

onEachDatabase('entities', (open) => {
  it('become models with all that TypeORM knows of them, whose records keep what a GET shows', async () => {
    const { dataSource, source } = await opened(await open())
    expectAllOf(source, dataSource.entityMetadatas.filter(({ isJunction }) => !isJunction).map(declaredBy))
    const refund = source.models.find(({ name }) => name === 'Refund')
    expect(refund?.uniques).toEqual([['byId']])
    expect(refund?.fields.map(({ name }) => name)).not.toContain('addressCity')
    await expectKept(source, { runs: 5 })
  })
})
