import type { Load } from './messages.ts'

const ids = Array.from({ length: 500 }, (_, index) => 1 + ((index * 7919) % 100_000))

/** What is measured, in this order: what makes the table larger comes last. */
export const routes: Readonly<Record<string, Load>> = {
  'list of 20': { method: 'GET', paths: ['/api/products/?limit=20'] },
  'list of 20, count=none': { method: 'GET', paths: ['/api/products/?limit=20&count=none'] },
  'get by id': { method: 'GET', paths: ids.map((id) => `/api/products/${id}`) },
  update: {
    method: 'PATCH',
    paths: ids.map((id) => `/api/products/${id}`),
    body: { price: '12.50', in_stock: false },
  },
  create: {
    method: 'POST',
    paths: ['/api/products/'],
    body: { name: 'Benchmark lamp', price: '9.90', in_stock: true },
  },
}
