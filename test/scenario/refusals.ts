import type { Transcript } from './transcript.ts'

/** What constraints refuse: the same answer for the same rule on each database. */
export const constraintsRefuse = async ({ ask }: Transcript): Promise<void> => {
  // Unique.
  await ask('categories/', { method: 'POST', body: { name: 'Lighting' } })
  await ask('categories/1', { method: 'PATCH', body: { name: 'Lighting' } })
  await ask('categories/1', { method: 'PUT', body: { name: 'Lighting' } })
  const { json } = await ask('product-categories/?limit=1')
  const [pair] = json['items'] as Record<string, unknown>[]
  await ask('product-categories/', { method: 'POST', body: pair })
  // What is referred to is not there.
  const nobody = '00000000-0000-4000-8000-000000000000'
  await ask('orders/', { method: 'POST', body: { customer_id: nobody } })
  await ask('orders/1', { method: 'PATCH', body: { customer_id: nobody } })
  await ask('order-items/', { method: 'POST', body: { order_id: 999_999, product_id: 1, unit_price: 1 } })
  await ask('order-items/', {
    method: 'POST',
    body: { order_id: 999_999, product_id: 999_999, unit_price: 1 },
  })
  await ask('product-categories/', { method: 'POST', body: { product_id: 999_999, category_id: 1 } })
  await ask('categories/', { method: 'POST', body: { name: 'Orphan', parent_id: 999_999 } })
  await ask('categories/1', { method: 'PATCH', body: { parent_id: 999_999 } })
  // What is referred to goes.
  const { json: orders } = await ask('orders/?limit=1')
  const [order] = orders['items'] as Record<string, unknown>[]
  await ask(`customers/${order?.['customer_id']}`, { method: 'DELETE' })
  await ask('products/1', { method: 'DELETE' })
  await ask('categories/1', { method: 'DELETE' })
  await ask('orders/1', { method: 'DELETE' })
  // Null, lengths, digits, choices.
  await ask('products/1', { method: 'PATCH', body: { name: null } })
  await ask('products/1', { method: 'PATCH', body: { name: 'x'.repeat(101) } })
  await ask('products/1', { method: 'PATCH', body: { price: '123456789.00' } })
  await ask('products/1', { method: 'PATCH', body: { price: '1.001' } })
  await ask('products/1', { method: 'PATCH', body: { price: 'dear' } })
  await ask('products/1', { method: 'PATCH', body: { in_stock: 'yes' } })
  await ask('orders/1', { method: 'PATCH', body: { status: 'lost' } })
  await ask('orders/1', { method: 'PATCH', body: { weight_kg: 'heavy', note: 7 } })
}

/** Requests that are wrong whatever the database. */
export const formsRefuse = async ({ ask }: Transcript): Promise<void> => {
  await ask('products/', { method: 'POST', body: {} })
  await ask('products/', { method: 'POST', body: { name: 'A', price: 1, prize: 2 } })
  await ask('products/', { method: 'POST', text: '{"name":' })
  await ask('products/', { method: 'POST', text: 'name', headers: { 'content-type': 'text/plain' } })
  await ask('products/abc')
  await ask('products/99999999999999999999')
  await ask('products/1', { method: 'POST', body: {} })
  await ask('products/', { headers: { accept: 'text/csv' } })
  await ask('nothing/')
  for (const query of [
    ...['q=colour=red', 'q=price>dear', 'q=name=', 'limit=-1', 'limit=100000', 'offset=x', 'page=2'],
    ...['sort=colour', 'order=up', 'include=colour', 'fields=colour', 'count=some', 'q=(name=a'],
  ])
    await ask(`products/?${query}`)
}
