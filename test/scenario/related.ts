import type { Transcript } from './transcript.ts'

const lists: readonly string[] = [
  // Included.
  'orders/?limit=3&include=customer,items.product',
  'orders/?limit=2&fields=status&include=items(limit=1;sort=unit_price;order=desc;fields=quantity;count=exact)',
  'orders/7?include=customer(fields=name,email),items(q=quantity>1),products(fields=name)',
  'categories/1?include=children(sort=name;fields=name),parent,products(limit=2;count=exact)',
  'categories/?parent_id!=null&limit=2&include=parent(fields=name).children(limit=2;fields=name)',
  'products/3?include=categories,orders(limit=2;sort=created_at;order=desc).customer(fields=name)',
  'customers/?limit=2&fields=name&include=orders(limit=0;count=exact)',
  'order-items/?limit=2&include=order.customer(fields=name),product(fields=name)',
  // Asked for by what is related.
  'orders/?customer.name=ada&fields=status',
  'orders/?items.quantity>=4&items.unit_price>200&fields=status&limit=3',
  'orders/?q=items(quantity>=4%26unit_price>200)&fields=status&limit=3',
  'orders/?q=!(items.quantity>1)&fields=status&limit=3',
  'orders/?q=(customer.loyalty_points>4900|products.name=lamp)&fields=status&limit=3',
  'products/?q=orders=null&fields=name&limit=3',
  'products/?q=categories.parent.name==Lighting&fields=name&limit=3',
  'categories/?q=parent=null&fields=name',
  // Sorted by it.
  'orders/?sort=customer.name&sort=id&order=desc&order=desc&fields=status&limit=5',
  'categories/?sort=parent.name&order=desc&fields=name&limit=5',
  // Below a record.
  'orders/7/items/?sort=unit_price&include=product(fields=name)',
  'categories/1/children/?limit=2&fields=name',
  'products/3/categories/',
  'customers/nobody/orders/',
  'orders/999999/items/',
  // Counted.
  'orders/aggregate?group=month(created_at)&aggregate=count,sum(shipping_fee)&status!=cancelled',
  'orders/aggregate?group=month(created_at)&timezone=Europe/Berlin&limit=3',
  'orders/aggregate?group=status,year(shipped_at)&aggregate=count,min(weight_kg),max(weight_kg),count(note)&sort=count_note',
  'order-items/aggregate?group=product_id&aggregate=sum(quantity)&order.status==delivered&sort=sum_quantity&order=desc&limit=3',
  'order-items/aggregate?aggregate=count,sum(quantity),avg(quantity),sum(unit_price),avg(unit_price)',
  'products/aggregate?group=in_stock&search=lamp&aggregate=count,min(price),max(price)',
  // Refused.
  'orders/aggregate?group=items',
  'customers/aggregate?aggregate=sum(name)',
  'orders/?include=order_items',
  'orders/?include=items(limit=101)',
  'orders/?items.price>1',
  'orders/?sort=items.quantity',
  'orders/7?include=customer.orders.customer.orders',
]

/** Related records: included, filtered by, sorted by, and below a record. */
export const relatedAnswer = async ({ ask }: Transcript): Promise<void> => {
  for (const path of lists) await ask(path)
  const body = { product_id: 1, quantity: 2, unit_price: '9.90' }
  for (const again of [body, body, { ...body, order_id: 4 }, { ...body, unit_price: 'cheap' }])
    await ask('orders/3/items/', { method: 'POST', body: again })
  await ask('orders/3/items/?product_id=1')
  await ask('order-items/3,1', { method: 'DELETE' })
}
