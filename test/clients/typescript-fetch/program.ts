import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import {
  AuthApi,
  CategoryApi,
  Configuration,
  CustomerApi,
  MeasurementApi,
  OrderApi,
  type Problem,
  ProblemFromJSON,
  ResponseError,
} from './client'

const [basePath = '', image = ''] = process.argv.slice(2)
const png = Buffer.from(image, 'base64')

/** The problem that a call is refused with. */
const problemOf = async (call: Promise<unknown>): Promise<Problem> => {
  try {
    await call
  } catch (error) {
    if (error instanceof ResponseError) return ProblemFromJSON(await error.response.json())
    throw error
  }
  throw new Error('The call was not refused.')
}

const main = async (): Promise<void> => {
  const anonymous = new MeasurementApi(new Configuration({ basePath }))
  const refused = await problemOf(anonymous.listMeasurements())
  deepEqual([refused.status, refused.code], [401, 'unauthenticated'])

  const { access } = await new AuthApi(new Configuration({ basePath })).login({
    loginRequest: { email: 'demo@shop.example', password: 'a lamp for every desk' },
  })
  const configuration = new Configuration({ basePath, accessToken: access })

  const auth = new AuthApi(new Configuration({ basePath }))
  const registerRequest = { email: 'grace@typescript-fetch.example', password: 'a desk for every lamp' }
  const first = await auth.register({ registerRequest })
  const signedIn = (accessToken: string): AuthApi => new AuthApi(new Configuration({ basePath, accessToken }))
  const second = await auth.login({ loginRequest: registerRequest })
  const listed = await signedIn(second.access).listSessions()
  deepEqual(listed.items.map(({ current }) => current).sort(), [false, true])
  ok(listed.items.every(({ createdAt }) => createdAt instanceof Date))
  const other = listed.items.find(({ current }) => !current)
  await signedIn(second.access).endSession({ id: other?.id ?? '' })
  deepEqual((await problemOf(signedIn(first.access ?? '').getMe())).status, 401)
  const passwordChangeRequest = {
    oldPassword: registerRequest.password,
    newPassword: 'a chair for every desk',
  }
  const changed = await signedIn(second.access).changePassword({ passwordChangeRequest })
  equal((await problemOf(auth.login({ loginRequest: registerRequest }))).status, 401)
  equal((await signedIn(changed.access).getMe()).email, registerRequest.email)
  await auth.requestPasswordReset({ mailRequest: { email: registerRequest.email } })
  const passwordResetRequest = { token: 'x'.repeat(43), password: 'a shelf for every chair' }
  equal((await problemOf(auth.resetPassword({ passwordResetRequest }))).status, 422)
  await signedIn(changed.access).logoutAll()
  equal((await problemOf(signedIn(changed.access).getMe())).status, 401)

  const categories = new CategoryApi(configuration)
  const name = 'Lämps 灯 of typescript-fetch'
  const category = await categories.createCategoryForm({ name, image: new File([png], 'lamp.png') })
  equal(category.description, null)
  const picture = await fetch(new URL(category.image ?? '', basePath))
  deepEqual(Buffer.from(await picture.arrayBuffer()), png)
  const described = await categories.updateCategoryForm({ id: category.id, description: 'For desks.' })
  deepEqual([described.name, described.description], [name, 'For desks.'])
  ok(described.image)
  const bare = await categories.updateCategory({ id: category.id, categoryUpdate: { description: null } })
  equal(bare.description, null)
  ok(bare.image)
  const taken = await problemOf(categories.createCategory({ categoryCreate: { name } }))
  deepEqual([taken.status, taken.code, taken.errors?.[0]?.pointer], [409, 'unique_conflict', '/name'])
  await categories.deleteCategory({ id: category.id })

  const measurements = new MeasurementApi(configuration)
  const amount = '12345678901234567890.12345678901234567891'
  const counter = '9223372036854775807'
  // A Date keeps milliseconds, and no zone.
  const takenAt = new Date('2026-03-29T03:30:00.123+02:00')
  const made = await measurements.createMeasurement({
    measurementCreate: {
      title: 'typescript-fetch',
      amount,
      tolerance: null,
      counter,
      takenAt,
      day: new Date(2026, 2, 29),
      kind: 'time of day',
      isFinal: true,
      labels: ['a', 'b'],
      notes: ['c'],
      details: { nested: [1, null, 'x'] },
      remark: 'to be removed',
      batch: 'a4c0f7a8-3f3a-4b6e-9d0f-0e7b6a1f2c3d',
    },
  })
  ok(BigInt(made.id) > BigInt(Number.MAX_SAFE_INTEGER))
  equal(made.amount, amount)
  equal(made.counter, counter)
  equal(made.takenAt.getTime(), takenAt.getTime())
  equal(made.day?.getDate(), 29)
  deepEqual([made.tolerance, made.checkedAt, made.reading, made.productId], [null, null, null, null])
  // A column that the client does not know.
  equal(made['added_later'], 'by a later version')

  const page = await measurements.listMeasurements({
    q: `counter==${counter}&title==typescript-fetch&taken_at>=2026-03-29T03:30:00+02:00`,
    sort: ['amount', 'id'],
    order: ['desc', 'asc'],
  })
  equal(page.count, 1)
  equal(page.items[0]?.id, made.id)
  equal(page.items[0]?.amount, amount)
  const chosen = await measurements.listMeasurements({ q: `id==${made.id}`, fields: ['title', 'kind'] })
  deepEqual(chosen.items[0]?.kind, 'time of day')
  deepEqual([chosen.items[0]?.amount, chosen.items[0]?.labelCount], [undefined, undefined])
  const filtered = await measurements.listMeasurements({ filter: { title: 'typescript-fetch', id: made.id } })
  deepEqual([filtered.count, filtered.items[0]?.id], [1, made.id])
  const counted = await measurements.listMeasurements({ q: `id==${made.id}`, fields: ['label_count'] })
  deepEqual([counted.items[0]?.labelCount, made.labelCount], [2, 2])

  // A PATCH changes what it names.
  const { id } = made
  const patched = await measurements.updateMeasurement({ id, measurementUpdate: { unit: 'm' } })
  deepEqual({ ...patched, unit: 'mm' }, { ...made })
  const emptied = await measurements.updateMeasurement({
    id,
    measurementUpdate: { remark: null, kind: null, notes: null },
  })
  deepEqual([emptied.remark, emptied.kind, emptied.notes], [null, null, null])
  deepEqual(emptied.labels, ['a', 'b'])
  deepEqual(await measurements.getMeasurement({ id }), emptied)
  const less = { by: -1, note: 'One less.' }
  const recounted = await measurements.recountMeasurement({ id, recountMeasurementInput: less })
  equal(BigInt(recounted.counter), BigInt(emptied.counter) - 1n)
  deepEqual(await measurements.recountMeasurement({ id, recountMeasurementInput: { by: 1 } }), emptied)
  deepEqual(await measurements.checkMeasurement({ id }), emptied)
  const sumMeasurementsInput = { numbers: [1, 2.5] }
  deepEqual(await measurements.sumMeasurements({ sumMeasurementsInput }), { sum: 3.5, count: 2 })

  const wrong = await problemOf(
    measurements.updateMeasurement({
      id,
      measurementUpdate: { amount: '1e5', counter: '9223372036854775808' },
    }),
  )
  deepEqual([wrong.status, wrong.code], [422, 'invalid_body'])
  deepEqual(
    wrong.errors?.map(({ pointer }) => pointer),
    ['/amount', '/counter'],
  )

  // What the test looks at in the database stays.
  const copy = await measurements.createMeasurement({
    measurementCreate: { title: 'typescript-fetch, second', amount: '-0.5', counter: '0', takenAt },
  })
  equal(copy.unit, 'mm')
  await measurements.deleteMeasurement({ id: copy.id })
  const gone = await problemOf(measurements.getMeasurement({ id: copy.id }))
  deepEqual([gone.status, gone.code], [404, 'not_found'])

  const customer = await new CustomerApi(configuration).createCustomer({
    customerCreate: {
      name: 'Ada',
      email: 'Ada@typescript-fetch.example',
      phone: null,
      address: { street: 'Lamp Street 1', postcode: '12345', city: 'Town', country: 'Land' },
    },
  })
  equal(customer.email, 'ada@typescript-fetch.example')
  equal(customer.phone, null)
  equal(customer.address.city, 'Town')
  const order = await new OrderApi(configuration).createOrder({
    orderCreate: { customerId: customer.id, status: 'paid', weightKg: 1.5 },
  })
  deepEqual([order.status, order.shippingFee, order.shippedAt], ['paid', '4.90', null])
  const read = await new OrderApi(configuration).getOrder({ id: order.id, include: 'customer,items' })
  deepEqual([read.customer?.name, read.items], ['Ada', []])

  await rejects(anonymous.getMeasurement({ id }))
  console.log('done')
}

main().catch((error: unknown) => {
  console.error(error)
  process.exitCode = 1
})
