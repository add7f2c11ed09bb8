import { deepEqual, equal, ok } from 'node:assert/strict'
import { isAxiosError } from 'axios'
import {
  AuthApi,
  CategoryApi,
  Configuration,
  CustomerApi,
  MeasurementApi,
  OrderApi,
  type Problem,
} from './client/index.js'

const [basePath = '', image = ''] = process.argv.slice(2)
const png = Buffer.from(image, 'base64')

/** The problem that a call is refused with. */
const problemOf = async (call: Promise<unknown>): Promise<Problem> => {
  try {
    await call
  } catch (error) {
    if (isAxiosError<Problem>(error) && error.response !== undefined) return error.response.data
    throw error
  }
  throw new Error('The call was not refused.')
}

const anonymous = new MeasurementApi(new Configuration({ basePath }))
const refused = await problemOf(anonymous.listMeasurements())
deepEqual([refused.status, refused.code], [401, 'unauthenticated'])

const session = await new AuthApi(new Configuration({ basePath })).login({
  email: 'demo@shop.example',
  password: 'a lamp for every desk',
})
const configuration = new Configuration({ basePath, accessToken: session.data.access })

const categories = new CategoryApi(configuration)
const name = 'Lämps 灯 of typescript-axios'
const { data: category } = await categories.createCategoryForm(
  name,
  undefined,
  undefined,
  new File([png], 'lamp.png'),
)
equal(category.description, null)
const picture = await fetch(new URL(category.image ?? '', basePath))
deepEqual(Buffer.from(await picture.arrayBuffer()), png)
const { data: described } = await categories.updateCategoryForm(category.id, undefined, 'For desks.')
deepEqual([described.name, described.description], [name, 'For desks.'])
ok(described.image)
const { data: bare } = await categories.updateCategory(category.id, { description: null })
equal(bare.description, null)
ok(bare.image)
const taken = await problemOf(categories.createCategory({ name }))
deepEqual([taken.status, taken.code, taken.errors?.[0]?.pointer], [409, 'unique_conflict', '/name'])
await categories.deleteCategory(category.id)

const measurements = new MeasurementApi(configuration)
const amount = '12345678901234567890.12345678901234567891'
const counter = '9223372036854775807'
const taken_at = '2026-03-29T03:30:00.123456+02:00'
const { data: made, headers } = await measurements.createMeasurement({
  title: 'typescript-axios',
  amount,
  tolerance: null,
  counter,
  taken_at,
  day: '2026-03-29',
  kind: 'time of day',
  is_final: true,
  labels: ['a', 'b'],
  notes: ['c'],
  details: { nested: [1, null, 'x'] },
  remark: 'to be removed',
  batch: 'a4c0f7a8-3f3a-4b6e-9d0f-0e7b6a1f2c3d',
})
const { id } = made
ok(BigInt(id) > BigInt(Number.MAX_SAFE_INTEGER))
equal(headers['location'], `/api/measurements/${id}`)
deepEqual([made.amount, made.counter, made.day], [amount, counter, '2026-03-29'])
// The same instant, with all its digits.
equal(made.taken_at, '2026-03-29T01:30:00.123456Z')
deepEqual([made.tolerance, made.checked_at, made.reading, made.product_id], [null, null, null, null])
// A column that the client does not know.
equal(made['added_later'], 'by a later version')

const q = `counter==${counter}&title==typescript-axios&taken_at>=${taken_at}`
const { data: page } = await measurements.listMeasurements(
  q,
  undefined,
  undefined,
  ['amount', 'id'],
  ['desc', 'asc'],
)
equal(page.count, 1)
deepEqual([page.items[0]?.id, page.items[0]?.amount], [id, amount])
deepEqual([page.items[0]?.label_count, made.label_count], [2, 2])
const { data: filtered } = await measurements.listMeasurements(undefined, { title: 'typescript-axios', id })
deepEqual([filtered.count, filtered.items[0]?.id], [1, id])

// A PATCH changes what it names.
const { data: patched } = await measurements.updateMeasurement(id, { unit: 'm' })
deepEqual({ ...patched, unit: 'mm' }, made)
const { data: emptied } = await measurements.updateMeasurement(id, { remark: null, kind: null, notes: null })
deepEqual([emptied.remark, emptied.kind, emptied.notes, emptied.labels], [null, null, null, ['a', 'b']])
deepEqual((await measurements.getMeasurement(id)).data, emptied)

const { data: recounted } = await measurements.recountMeasurement(id, { by: -1, note: 'One less.' })
deepEqual({ ...recounted, counter }, emptied)
equal(BigInt(recounted.counter), BigInt(counter) - 1n)
deepEqual((await measurements.recountMeasurement(id, { by: 1 })).data, emptied)
deepEqual((await measurements.checkMeasurement(id)).data, emptied)
deepEqual((await measurements.sumMeasurements({ numbers: [1, 2.5] })).data, { sum: 3.5, count: 2 })
const same = await problemOf(measurements.recountMeasurement(id, { by: 0 }))
deepEqual([same.status, same.code], [403, 'forbidden'])

const wrong = await problemOf(
  measurements.updateMeasurement(id, { amount: '1e5', counter: '9223372036854775808' }),
)
deepEqual([wrong.status, wrong.code], [422, 'invalid_body'])
deepEqual(
  wrong.errors?.map(({ pointer }) => pointer),
  ['/amount', '/counter'],
)

const { data: copy } = await measurements.createMeasurement({
  title: 'typescript-axios, second',
  amount: '-0.5',
  counter: '0',
  taken_at,
})
equal(copy.unit, 'mm')
await measurements.deleteMeasurement(copy.id)
const gone = await problemOf(measurements.getMeasurement(copy.id))
deepEqual([gone.status, gone.code], [404, 'not_found'])

const { data: customer } = await new CustomerApi(configuration).createCustomer({
  name: 'Ada',
  email: 'Ada@typescript-axios.example',
  phone: null,
  address: { street: 'Lamp Street 1', postcode: '12345', city: 'Town', country: 'Land' },
})
deepEqual([customer.email, customer.phone], ['ada@typescript-axios.example', null])
equal(customer.address.city, 'Town')
const { data: order } = await new OrderApi(configuration).createOrder({
  customer_id: customer.id,
  status: 'paid',
  weight_kg: 1.5,
})
deepEqual([order.status, order.shipping_fee, order.shipped_at], ['paid', '4.90', null])
console.log('done')
