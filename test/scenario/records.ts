import type { Transcript } from './transcript.ts'

/** Records that are made, read, changed, replaced and deleted. */
export const recordsChange = async ({ ask }: Transcript): Promise<void> => {
  const made = await ask('products/', { method: 'POST', body: { name: 'Paper lantern', price: '9.90' } })
  const product = `products/${made.json['id']}`
  await ask(product)
  await ask(product, { method: 'HEAD' })
  await ask(`${product}/`)
  await ask(`${product}?fields=name,price`)
  await ask(product, { method: 'PATCH', body: { in_stock: false } })
  await ask(product, { method: 'PATCH', body: {} })
  await ask(product, { method: 'PATCH', body: { price: 12.5 } })
  await ask(product, { method: 'PUT', body: { name: 'It\'s 100 % "paper" \\ papier 灯 🏮', price: 0 } })
  await ask(product)
  await ask(product, { method: 'DELETE' })
  await ask(product, { method: 'DELETE' })
  await ask(product, { method: 'PATCH', body: { in_stock: true } })
  await ask(product, { method: 'PUT', body: { name: 'Gone', price: 1 } })
  await ask(product)
}

/** Customers by the shop's own schema, and JSON. */
export const customersChange = async ({ ask }: Transcript): Promise<void> => {
  const address = { street: '12 St James Square', postcode: 'SW1Y 4JH', city: 'London', country: 'GB' }
  const made = await ask('customers/', {
    method: 'POST',
    body: { name: 'Ada', email: 'Ada@Example.COM', address },
  })
  const customer = `customers/${made.json['id']}`
  await ask('customers/', { method: 'POST', body: { name: 'Ada', email: 'ADA@example.com' } })
  await ask(customer, { method: 'PATCH', body: { email: 'ada@example.org', phone: '+44 20 7946 0001' } })
  await ask(customer, { method: 'PATCH', body: { phone: null, address: null } })
  await ask(customer, { method: 'PATCH', body: { address: { street: 'Only' } } })
  await ask(customer, { method: 'PATCH', body: { loyalty_points: 1000 } })
  const { json } = await ask(customer)
  await ask(customer, { method: 'PUT', body: json })
  await ask(customer, { method: 'DELETE' })
}

/** Orders and their items: hooks, what they refuse, keys of two parts. */
export const ordersChange = async ({ ask }: Transcript): Promise<void> => {
  const { json } = await ask('orders/?q=status==pending&limit=1&fields=customer_id')
  const [{ customer_id } = { customer_id: '' }] = json['items'] as { customer_id: string }[]
  const customer = await ask(`customers/${customer_id}`)
  const made = await ask('orders/', { method: 'POST', body: { customer_id, weight_kg: 0.1, note: null } })
  const order = made.json['id']
  const item = { order_id: order, product_id: 1, unit_price: '9.90' }
  await ask('order-items/', { method: 'POST', body: item })
  await ask('order-items/', { method: 'POST', body: item })
  await ask('order-items/', { method: 'POST', body: { ...item, product_id: 2, quantity: 3 } })
  await ask(`order-items/${order},1`)
  await ask(`order-items/${order},1`, { method: 'PATCH', body: { quantity: 5 } })
  await ask(`order-items/${order},2`, { method: 'PUT', body: { ...item, product_id: 2 } })
  await ask(`order-items/${order},3`)
  const points = await ask(`customers/${customer_id}`)
  await ask(`customers/${customer_id}`, { method: 'PUT', body: { ...customer.json, ...points.json } })
  await ask(`orders/${order}`, { method: 'PATCH', body: { status: 'shipped' } })
  await ask(`orders/${order}`, { method: 'PATCH', body: { status: 'shipped', note: 'Fragile.' } })
  await ask(`orders/${order}`, { method: 'PATCH', body: { shipped_at: '2026-01-01T00:00:00Z' } })
  await ask('order-items/', { method: 'POST', body: { ...item, product_id: 3 } })
  await ask(`order-items/?q=order_id=${order}`)
  await ask(`orders/${order}`, { method: 'DELETE' })
  for (const product of [1, 2]) await ask(`order-items/${order},${product}`, { method: 'DELETE' })
  await ask(`orders/${order}`, { method: 'DELETE' })
  const mine = { 'x-customer-id': customer_id }
  await ask('orders/?limit=3', { headers: mine })
  await ask('order-items/?limit=3', { headers: mine })
  await ask('orders/?limit=3', { headers: { 'x-customer-id': 'nobody' } })
  await ask('orders/', { method: 'POST', headers: { 'x-customer-id': 'nobody' }, body: { customer_id } })
}
