import { describe, expect, it, onTestFinished } from 'vitest'
import { action, controllerFor } from '../../../src/index.ts'
import { memorySource } from '../../../src/testing/index.ts'
import { onFastify } from '../../stage/apps.ts'
import { openSqlite } from '../../stage/databases.ts'
import { type Answer, type Method, type Send, senderTo } from '../../stage/requests.ts'
import { inTest, type Service, type ServiceOptions, type Start, startsOf } from '../../stage/service.ts'
import { shops } from '../../stage/shop.ts'
import { library } from '../random/tables.ts'
import { startError } from '../start-error.ts'
import { counters, countUp, versions } from './counters.ts'

const starts = startsOf(counters)

const serving =
  (start: Start) =>
  async (config?: object, options: ServiceOptions = {}): Promise<Service> => {
    const modelConfig = { Counter: config } as NonNullable<ServiceOptions['modelConfig']>
    const service = await inTest(start({ modelConfig, ...options }))
    await service.send('POST', '/counters/', { body: { count: 0 } })
    return service
  }

const onSqlite = serving(starts.sqlite)

const told = ({ status, json }: Answer): readonly unknown[] =>
  status < 400 ? [status] : [status, json['code']]

const tagOf = ({ headers }: Answer): string => headers['etag'] ?? ''

const changes = [
  ['PATCH', { count: 1 }],
  ['PUT', { count: 1 }],
  ['DELETE', undefined],
] as const satisfies readonly (readonly [Method, object | undefined])[]

const one = '/counters/1'

describe('entity tags', () => {
  const start = onSqlite
  const versioned = Object.entries(versions)

  it.each(versioned)('are strong, on every response with a record, version: %s', async (_version, config) => {
    const { send } = await start(config)
    const made = await send('POST', '/counters/', { body: { count: 0 } })
    const path = `/counters/${made.json['id']}`
    const strong = /^"[\x21\x23-\x7e]+"$/
    expect(tagOf(made)).toMatch(strong)
    expect(tagOf(await send('GET', path))).toBe(tagOf(made))
    const changed = await send('PATCH', path, { body: { count: 1 } })
    expect(tagOf(changed)).toMatch(strong)
    expect(tagOf(changed)).not.toBe(tagOf(made))
    expect(tagOf(await send('GET', path))).toBe(tagOf(changed))
    const replaced = await send('PUT', path, { body: { count: 2 } })
    expect(tagOf(await send('HEAD', path))).toBe(tagOf(replaced))
    expect(tagOf(replaced)).not.toBe(tagOf(changed))
    const headers = { 'if-match': tagOf(replaced) }
    expect(told(await send('DELETE', path, { headers }))).toEqual([204])
    expect(told(await send('DELETE', path, { headers }))).toEqual([404, 'not_found'])
  })

  it.each(versioned)('decide each kind of write, version: %s', async (_version, config) => {
    for (const [method, body] of changes) {
      const { send } = await start(config)
      const tag = tagOf(await send('GET', one))
      const under = async (condition: string) =>
        told(await send(method, one, { body, headers: { 'if-match': condition } }))
      for (const condition of [
        '"other"',
        `W/${tag}`,
        '"other", W/"x"',
        '"9999999999999999999999"',
        '""',
        '"01"',
      ])
        expect(await under(condition), condition).toEqual([412, 'precondition_failed'])
      expect(tagOf(await send('GET', one))).toBe(tag)
      expect(await under(`"other" ,, W/"a,b",${tag}`)).toEqual([method === 'DELETE' ? 204 : 200])
      if (method === 'DELETE') {
        expect(await under('*')).toEqual([404, 'not_found'])
        continue
      }
      expect(await under(tag)).toEqual([412, 'precondition_failed'])
      expect(await under('*')).toEqual([200])
    }
  })

  it.each(versioned)('spare the body of a read, version: %s', async (_version, config) => {
    const { send } = await start(config)
    const tag = tagOf(await send('GET', one))
    for (const method of ['GET', 'HEAD'] as const)
      for (const condition of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
        const reply = await send(method, one, { headers: { 'if-none-match': condition } })
        expect([reply.status, tagOf(reply), reply.text], condition).toEqual([304, tag, ''])
      }
    for (const condition of ['"other"', `"${tag.slice(1, -1)} "`.replace(' ', 'x')])
      expect((await send('GET', one, { headers: { 'if-none-match': condition } })).status).toBe(200)
    const missing = await send('GET', '/counters/77', { headers: { 'if-none-match': '*' } })
    expect(told(missing)).toEqual([404, 'not_found'])
  })

  it('are refused if they are malformed, or too many', async () => {
    const { send } = await start()
    const many = Array.from({ length: 33 }, (_, at) => `"${at}"`).join()
    const malformed = [
      '',
      ',',
      'a',
      '"a',
      'a"',
      '"a" "b"',
      '"a";"b"',
      'w/"a"',
      '*, "a"',
      '"a b"',
      many,
      `"${'x'.repeat(5000)}"`,
    ]
    for (const value of malformed) {
      const refused = [400, 'malformed_header']
      for (const [method, body] of changes)
        expect(told(await send(method, one, { body, headers: { 'if-match': value } })), value).toEqual(
          refused,
        )
      expect(told(await send('GET', one, { headers: { 'if-none-match': value } })), value).toEqual(refused)
    }
    expect((await send('GET', one)).json).toMatchObject({ count: 0 })
  })

  it('are refused where they would have no effect', async () => {
    const { send } = await start(undefined, {
      controllers: [
        controllerFor('Counter', {
          actions: {
            reset: action({ on: 'record', run: () => ({ count: 0 }) }),
            clear: action({ on: 'collection', run: () => undefined }),
          },
        } as never),
      ],
    })
    const refused = [400, 'unsupported_header']
    const headersOf = (name: string) => ({
      [name]: name.endsWith('since') ? new Date().toUTCString() : '"1"',
    })
    for (const name of ['if-match', 'if-none-match', 'if-unmodified-since'])
      for (const path of ['/counters/', '/counters/1/reset', '/counters/clear'])
        expect(told(await send('POST', path, { body: {}, headers: headersOf(name) })), path).toEqual(refused)
    for (const name of ['if-none-match', 'if-unmodified-since'])
      for (const [method, body] of changes)
        expect(told(await send(method, one, { body, headers: headersOf(name) })), method).toEqual(refused)
    for (const name of ['if-match', 'if-modified-since', 'if-unmodified-since'])
      expect((await send('GET', one, { headers: headersOf(name) })).status).toBe(200)
  })

  it('can be required', async () => {
    for (const version of [{}, versions.integer, versions.timestamp]) {
      const { send } = await start({ ...version, requireIfMatch: true })
      for (const [method, body] of changes)
        expect(told(await send(method, one, { body }))).toEqual([428, 'precondition_required'])
      const headers = { 'if-match': tagOf(await send('GET', one)) }
      expect(told(await send('PATCH', one, { body: { count: 1 }, headers }))).toEqual([200])
    }
  })

  it('do not depend on what the caller cannot see', async () => {
    const { send, execute } = await start({ hidden: ['secret_word'] })
    const tag = tagOf(await send('GET', one))
    await execute("update counters set secret_word = 'b'")
    expect(tagOf(await send('GET', one))).toBe(tag)
    await execute("update counters set name = 'two'")
    expect(tagOf(await send('GET', one))).not.toBe(tag)
    const headers = { 'if-match': tag }
    expect(told(await send('PATCH', one, { body: { count: 1 }, headers }))).toEqual([
      412,
      'precondition_failed',
    ])
  })

  it('let a client send back the whole record that it has read', async () => {
    for (const config of Object.values(versions)) {
      const { send } = await start(config)
      const read = await send('GET', one)
      const headers = { 'if-match': tagOf(read) }
      const body = { ...read.json, count: 5 }
      expect(told(await send('PUT', one, { body, headers }))).toEqual([200])
      expect(told(await send('PUT', one, { body, headers }))).toEqual([412, 'precondition_failed'])
    }
  })

  it('hold for permissions, hooks and scopes', async () => {
    const seen: unknown[] = []
    for (const config of Object.values(versions)) {
      const { send } = await start(config, {
        controllers: [
          controllerFor('Counter', {
            scope: () => ({ name: ['one', 'two'] }),
            permissions: { update: () => true, delete: () => true },
            afterUpdate: (_request: unknown, { count }: { count: unknown }) => void seen.push(count),
          } as never),
        ],
      })
      const headers = { 'if-match': tagOf(await send('GET', one)) }
      expect(told(await send('PATCH', one, { body: { count: 1 }, headers }))).toEqual([200])
      for (const [method, body] of changes)
        expect(told(await send(method, one, { body, headers }))).toEqual([412, 'precondition_failed'])
      const again = { 'if-match': tagOf(await send('GET', one)) }
      expect(told(await send('PATCH', one, { body: { name: 'x' }, headers: again }))).toEqual([
        403,
        'forbidden',
      ])
      expect(told(await send('DELETE', one, { headers: again }))).toEqual([204])
    }
    expect(seen).toEqual([1, 1, 1])
  })

  it('leave records outside of the scope missing', async () => {
    for (const config of Object.values(versions))
      for (const permissions of [{}, { read: () => true }]) {
        const { send, execute } = await start(config, {
          controllers: [controllerFor('Counter', { scope: () => ({ name: 'one' }), permissions } as never)],
        })
        const headers = { 'if-match': tagOf(await send('GET', one)) }
        await execute("update counters set name = 'two'")
        for (const [method, body] of changes)
          for (const sent of [{ body }, { body, headers }, { body, headers: { 'if-match': '"other"' } }])
            expect(told(await send(method, one, sent)), method).toEqual([404, 'not_found'])
        await execute("update counters set name = 'one'")
        expect((await send('GET', one)).json).toMatchObject({ count: 0 })
      }
  })

  it('tell nothing to callers who may write a record but not read it', async () => {
    const { send: reader } = await start()
    const tag = tagOf(await reader('GET', one))
    const { send, execute } = await start(undefined, {
      controllers: [controllerFor('Counter', { permissions: { read: () => false } } as never)],
    })
    await execute("update counters set name = 'two'")
    for (const name of ['one', 'two']) {
      await execute(`update counters set name = '${name}'`)
      const sent = [
        ['PATCH', { secret_word: 'x' }],
        // A refusal of the body would tell that the tag is right.
        ['PUT', { count: 'many' }],
      ] as const
      for (const [method, body] of sent) {
        const reply = await send(method, one, { body, headers: { 'if-match': tag } })
        expect([...told(reply), tagOf(reply)]).toEqual([412, 'precondition_failed', ''])
      }
    }
  })

  it('also tell what hooks and computed fields make of a record', async () => {
    let word = 'a'
    const { send } = await start(versions.integer, {
      controllers: [
        controllerFor('Counter', {
          afterRead: (_request: unknown, record: object) => ({ ...record, word }),
        } as never),
      ],
    })
    const first = tagOf(await send('GET', one))
    word = 'b'
    const second = await send('GET', one, { headers: { 'if-none-match': first } })
    expect([second.status, second.json['word']]).toEqual([200, 'b'])
    expect(tagOf(second)).not.toBe(first)
    // The record itself has not changed.
    expect(told(await send('PATCH', one, { body: { count: 1 }, headers: { 'if-match': first } }))).toEqual([
      200,
    ])
  })

  it('rise with the writes of actions, and not with those that change nothing', async () => {
    const { send } = await start(versions.integer, {
      controllers: [
        controllerFor('Counter', {
          actions: { reset: action({ on: 'record', run: () => ({ count: 9 }) }) },
        } as never),
      ],
    })
    const reset = await send('POST', '/counters/1/reset', { body: {} })
    expect([reset.status, reset.json, tagOf(reset)]).toMatchObject([200, { count: 9, revision: 2 }, '"2"'])
    expect(tagOf(await send('PATCH', one, { body: {} }))).toBe('"2"')
    expect(told(await send('PATCH', one, { body: { revision: 7 } }))).toEqual([422, 'invalid_body'])
  })
})

describe('versions of records that are written together', () => {
  const start = shops.sqlite
  it('rise for each record, and for the record that they belong to', async () => {
    const config = {
      Order: { write: ['items'], version: 'tenant' },
      Item: { version: 'quantity' },
    } as const
    const shop = await start({ modelConfig: config as never })
    onTestFinished(shop.stop)
    const { send } = shop
    const made = await send('POST', '/orders/', { body: { title: 'a', items: [{ price: 1 }] } })
    const path = `/orders/${made.json['id']}`
    const read = await send('GET', `${path}?include=items`)
    const [item] = read.json['items'] as readonly { id: number }[]
    expect([read.json['tenant'], item]).toMatchObject([1, { quantity: 1 }])
    const change = (condition: string) =>
      send('PATCH', path, {
        body: { items: { update: [{ id: item?.id, price: 2 }] } },
        headers: { 'if-match': condition },
      })
    const changed = await change(tagOf(read))
    expect([changed.status, changed.json]).toMatchObject([
      200,
      { tenant: 2, items: [{ quantity: 2, price: 2 }] },
    ])
    expect(told(await change(tagOf(read)))).toEqual([412, 'precondition_failed'])
    expect(told(await change(tagOf(changed)))).toEqual([200])
    const below = await send('POST', `${path}/items/`, { body: { price: 1 }, headers: { 'if-match': '"3"' } })
    expect(told(below)).toEqual([400, 'unsupported_header'])
    // What is included is part of the tag of a response, and not of that of the record.
    const included = tagOf(await send('GET', `${path}?include=items`))
    await send('PATCH', `/items/${item?.id}`, { body: { price: 3 } })
    const again = await send('GET', `${path}?include=items`, { headers: { 'if-none-match': included } })
    expect([again.status, again.json['items']]).toMatchObject([200, [{ price: 3 }]])
    expect((await send('HEAD', `${path}?include=items`)).headers['etag']).toBeUndefined()
  })
})

describe('a source without row locks', () => {
  const facts = [
    {
      name: 'Thing',
      fields: [
        { name: 'id', kind: 'integer', hasDefault: true },
        { name: 'count', kind: 'integer' },
        { name: 'revision', kind: 'integer', hasDefault: true, default: 0 },
        { name: 'changed', kind: 'datetime', hasDefault: true, default: '2026-01-01T00:00:00.000Z' },
      ],
      primaryKey: ['id'],
    },
  ] as const
  const start = async (config?: object) => {
    const models = memorySource(facts, { without: ['rowLocks'] })
    const app = await onFastify({ models, modelConfig: { Thing: config } } as ServiceOptions, {
      base: '',
      logger: false,
    })
    onTestFinished(app.stop)
    const send = senderTo(app)
    await send('POST', '/things/', { body: { count: 0 } })
    return send
  }

  it('compares an integer version in the statement', async () => {
    const send: Send = await start(versions.integer)
    expect(await countUp(send, '/things/1', { clients: 20 })).toEqual(['412 precondition_failed'])
    expect((await send('GET', '/things/1')).json).toMatchObject({ count: 20, revision: 21 })
  })

  it('refuses what it could only compare before the statement', async () => {
    const send = await start()
    const tag = tagOf(await send('GET', '/things/1'))
    const reply = await send('PATCH', '/things/1', { body: { count: 1 }, headers: { 'if-match': tag } })
    expect(told(reply)).toEqual([400, 'unsupported_header'])
    await expect(start(versions.timestamp)).rejects.toThrow(startError('Thing.version', 'changed'))
    await expect(start({ requireIfMatch: true })).rejects.toThrow(startError('Thing.requireIfMatch'))
  })
})

describe('options that cannot work', () => {
  const wrong: readonly (readonly [object, ...string[]])[] = [
    [{ version: 'revison' }, 'Counter.version', 'revison', 'revision'],
    [{ version: 'name' }, 'Counter.version', 'name', 'text'],
    [{ version: 'id' }, 'Counter.version', 'id'],
    [{ version: 'revision', hidden: ['revision'] }, 'Counter', 'revision', 'hidden'],
    [{ version: 'revision', writeOnly: ['revision'] }, 'Counter', 'revision', 'writeOnly'],
    [{ version: 'revision', readOnly: { revision: false } }, 'Counter', 'revision', 'readOnly'],
    [{ requireIfMatch: true, operations: ['list', 'create'] }, 'Counter.requireIfMatch'],
    [{ version: 7 }, 'Counter.version'],
  ]
  it.each(wrong.map(([config, ...names]) => ({ config, names })))('$config', async ({ config, names }) => {
    await expect(onSqlite(config)).rejects.toThrow(startError(...names))
  })

  it.each([
    ['Book', 'updated_at', 'nullable'],
    ['Review', 'book_id', 'key'],
    ['BookTag', 'tag_id', 'key'],
  ])('a version of %s in the column %s, which is %s', async (model, version, reason) => {
    const { models, close } = openSqlite(library.sqlite.tables, library.sqlite.ddl)
    onTestFinished(close)
    const starting = onFastify({ models, modelConfig: { [model]: { version } } } as ServiceOptions)
    await expect(starting).rejects.toThrow(startError(`${model}.version`, version, reason))
  })
})

describe('the document', () => {
  it('has If-Match as a parameter only where the application asks for it', async () => {
    const parametersIn = async (config?: object) => {
      const { send } = await onSqlite(config)
      const { json } = await send('GET', '/openapi.json')
      const { paths } = json as { paths: Record<string, Record<string, Documented>> }
      const { get, patch } = paths['/counters/{id}'] ?? {}
      expect(Object.keys(get?.responses ?? {})).toContain('304')
      expect(get?.responses['200']?.headers).toHaveProperty('ETag')
      expect(patch?.responses['200']?.headers).toHaveProperty('ETag')
      expect(patch?.['x-problem-codes'].enum).toContain('precondition_failed')
      return { text: JSON.stringify(json), codes: patch?.['x-problem-codes'].enum }
    }
    expect((await parametersIn()).text).not.toContain('"name":"If-Match"')
    expect((await parametersIn(versions.integer)).text).toContain(
      '"name":"If-Match","in":"header","required":false',
    )
    const required = await parametersIn({ requireIfMatch: true })
    expect(required.text).toContain('"name":"If-Match","in":"header","required":true')
    expect(required.codes).toContain('precondition_required')
  })
})

interface Documented {
  readonly responses: Readonly<Record<string, { readonly headers?: object }>>
  readonly 'x-problem-codes': { readonly enum: readonly string[] }
}
