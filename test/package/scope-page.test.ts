import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, inject, test } from 'vitest'
import { fencedBlocks } from '../readme/fenced-blocks.ts'
import { folderWithPackage } from './folders.ts'
import { start } from './in-process.ts'

const page = readFileSync('docs/scope.md', 'utf8')
const sections = ['Scope', 'One scope for all models', 'Scopes in your own routes', 'Fields for each caller']
const blocks = sections.flatMap((section) => fencedBlocks(page, section))

/** Sends requests to the application of the page as a tenant, and prints what each answered. */
const visitor = `import { app } from './tenants/app.ts'
const send = async (tenant, method, path, body) => {
  const headers = { 'content-type': 'application/json', ...(tenant && { 'x-tenant': tenant }) }
  const reply = await app.fetch(new Request('http://host' + path, { method, headers, body: body && JSON.stringify(body) }))
  console.log(reply.status + ' ' + (await reply.text()).replace(/"instance":"[^"]*"/, ''))
}
await send('1', 'POST', '/orders/', { title: 'lamp' })
await send('2', 'POST', '/orders/', { title: 'chair' })
await send('2', 'GET', '/orders/')
await send('2', 'GET', '/orders/1')
await send('2', 'GET', '/orders/9')
await send('2', 'POST', '/items/', { orderId: 1, text: 'x' })
await send('2', 'POST', '/items/', { orderId: 9, text: 'x' })
await send('2', 'POST', '/items/', { orderId: 2, text: 'x' })
await send('1', 'GET', '/items/')
await send('', 'GET', '/orders/')
const { app: all } = await import('./tenants/all.ts')
for (const path of ['/orders/', '/items/']) {
  const reply = await all.fetch(new Request('http://host' + path, { headers: { 'x-tenant': '2' } }))
  console.log(reply.status + ' ' + (await reply.text()))
}
const { app: own } = await import('./export/server.ts')
for (const authorization of ['Bearer a token of ada', 'none']) {
  const reply = await own.inject({ url: '/export/orders', headers: { authorization } })
  console.log(reply.statusCode + ' ' + reply.body.trim())
}
`

/** Two employees ask for the first of them, and one changes both fields. */
const employees = `import Fastify from 'fastify'
import { ModelRest } from 'modelrest/fastify'
import { memorySource } from 'modelrest/testing'
import { EmployeeController } from './access/controllers/employee.ts'

const names = ['phone', 'salary']
const fields = [{ name: 'id', kind: 'integer' }, ...names.map((name) => ({ name, kind: 'text' }))]
const records = { Employee: [{ id: 1, phone: '1', salary: '9' }] }
const app = Fastify()
await new ModelRest(app, {
  models: memorySource([{ name: 'Employee', fields, primaryKey: ['id'] }], { records }),
  controllers: [EmployeeController],
  auth: { authenticate: ({ headers }) => ({ id: Number(headers.caller) }) },
}).init()
for (const caller of ['1', '2']) {
  const send = (method, payload) => app.inject({ method, url: '/employees/1', headers: { caller }, payload })
  for (const payload of [undefined, { phone: caller }, { salary: '10' }]) {
    const reply = await send(payload ? 'PATCH' : 'GET', payload)
    console.log(reply.statusCode + ' ' + (reply.statusCode === 200 ? reply.body : ''))
  }
}
`

const blockNamed = (name: string): Readonly<Record<string, string>> =>
  Object.fromEntries(blocks.flatMap(({ file, text }) => (file === name ? [[file, `${text}\n`]] : [])))

describe('docs/scope.md', () => {
  test('do what the page says', async () => {
    const files = Object.fromEntries(blocks.map(({ file = 'unnamed', text }) => [file, `${text}\n`]))
    const folder = folderWithPackage(inject('unpacked'), { ...files, 'visitor.ts': visitor })
    try {
      const database = new Database(join(folder.path, 'tenants.db'))
      database.exec(
        `create table orders (id integer primary key, tenant_id integer not null, title text not null);
         create table items (id integer primary key, order_id integer not null references orders (id), text text not null);
         create table countries (id integer primary key, name text not null)`,
      )
      const { out } = await start(folder.path, 'visitor.ts')
      const replies = out.trim().split('\n')
      expect(replies.map((line) => line.slice(0, 3)).join(' ')).toBe(
        '201 201 200 404 404 422 422 201 200 403 200 200 200 401',
      )
      expect(replies[0]).toBe('201 {"id":1,"title":"lamp"}')
      expect(replies[2]).toBe('200 {"items":[{"id":2,"title":"chair"}],"count":1,"count_exact":true}')
      expect(replies[3]).toBe(replies[4])
      expect(replies[5]).toBe(replies[6])
      expect(replies[8]).toContain('"count":0')
      expect(replies[9]).toContain('X-Tenant must be the number of a tenant.')
      expect(replies[10]).toBe(
        '200 {"items":[{"id":2,"tenantId":2,"title":"chair"}],"count":1,"count_exact":true}',
      )
      expect(replies[11]).toBe('200 {"items":[{"id":1,"orderId":2,"text":"x"}],"count":1,"count_exact":true}')
      expect(replies[12]).toBe('200 1,"lamp"')
      expect(database.prepare('select tenant_id from orders').pluck().all()).toEqual([1, 2])
      database.close()
    } finally {
      folder.remove()
    }
  })

  test('show each caller the fields that access allows', async () => {
    const written = { 'employees.ts': employees, ...blockNamed('access/controllers/employee.ts') }
    const folder = folderWithPackage(inject('unpacked'), written)
    try {
      const { out } = await start(folder.path, 'employees.ts')
      expect(out.trim().split('\n')).toEqual([
        '200 {"id":1,"phone":"1","salary":"9"}',
        '200 {"id":1,"phone":"1","salary":"9"}',
        '200 {"id":1,"phone":"1","salary":"10"}',
        ...['200 {"id":1,"phone":"1"}', '200 {"id":1,"phone":"2"}', '422'],
      ])
    } finally {
      folder.remove()
    }
  })
})
