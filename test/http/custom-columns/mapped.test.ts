import { afterAll, beforeAll, expect, it } from 'vitest'
import { naming } from '../../naming.ts'
import type { Answer } from '../../stage/requests.ts'
import { type Dialect, onEachDialect } from './dialects.ts'
import {
  cents,
  commaSeparated,
  dotted,
  encrypted,
  lowered,
  Moment,
  Money,
  prefixed,
  prefixedExample,
  shaped,
  uuidBytes,
} from './mapped.ts'
import type { Serving } from './stage.ts'

const same = (value: never): unknown => value

const kept = ({ name, instant, moments }: Dialect) => ({
  priceNumber: { type: 'decimal(10, 2)', fromDriver: Number },
  priceText: { type: 'numeric(10,2)', fromDriver: String, toDriver: String },
  priceMoney: { type: 'DECIMAL(10,2)', fromDriver: (text: never) => new Money(text), toDriver: String },
  flag: { type: 'smallint', fromDriver: (n: never) => n === 1, toDriver: (yes: boolean) => (yes ? 1 : 0) },
  settings: { type: 'text', fromDriver: JSON.parse, toDriver: JSON.stringify },
  at: { type: instant, ...moments },
  big: { type: 'bigint', fromDriver: BigInt, toDriver: String },
  name: { type: 'varchar(20)', fromDriver: same, toDriver: same },
  ...(name === 'pg' && { rates: { type: 'numeric(6, 1)[]', fromDriver: same, toDriver: same } }),
})

const stated = ({ uuid, bytes }: Dialect) => ({
  owner: { type: uuid, ...prefixed },
  note: { type: 'varchar(200)', ...encrypted },
  cost: { type: 'integer', ...cents },
  mail: { type: 'varchar(100)', also: 'unique', ...lowered },
  tags: { type: 'varchar(200)', ...commaSeparated },
  day: { type: 'varchar(10)', ...dotted },
  prefs: { type: 'json', ...shaped },
  code: { type: bytes, ...uuidBytes },
})

const said = {
  owner: { kind: 'text', example: prefixedExample },
  note: { kind: 'text', maxLength: 40 },
  cost: { kind: 'decimal', precision: 10, scale: 2 },
  mail: 'text',
  tags: { kind: 'array', element: 'text' },
  day: 'date',
  prefs: { kind: 'json', example: { theme: 'dark' } },
  code: 'uuid',
}

const unknown = {
  odd: {
    type: 'text',
    fromDriver: (text: never) => new Moment(new Date(text)),
    toDriver: (moment: Moment) => moment.toSql(),
  },
  loose: {
    type: 'text',
    fromDriver: (text: string) => text.slice(1),
    toDriver: (text: string) => `~${text}`,
  },
}

const valuesOn = ({ name, moment }: Dialect) => ({
  ...(name === 'pg' && { rates: ['1.5', '20.0'] }),
  priceNumber: '12.50',
  priceText: '9.25',
  priceMoney: '0.75',
  flag: true,
  settings: { a: [1, 'x', null] },
  at: moment,
  big: '9007199254740991',
  name: 'Lamp',
  owner: prefixedExample,
  note: 'between us',
  cost: '10.25',
  mail: 'babbage@example.com',
  tags: ['a', 'b'],
  day: '2026-01-31',
  prefs: { theme: 'light' },
  code: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
})

const itemsOf = ({ json }: Answer): readonly Record<string, unknown>[] =>
  json['items'] as readonly Record<string, unknown>[]

onEachDialect('custom columns with mappers', (dialect) => {
  let service: Serving
  const values = valuesOn(dialect)
  const ask = (q: string, more = '') => service.send('GET', `/things/?q=${encodeURIComponent(q)}${more}`)

  beforeAll(async () => {
    const things = { ...kept(dialect), ...stated(dialect), ...unknown }
    service = await dialect.serve({ things }, { things: said })
  }, 60_000)
  afterAll(() => service?.stop())

  it('are shown as what they hold, and a GET put back changes nothing', async () => {
    const made = await service.send('POST', '/things/', { ...values, loose: 'x' })
    expect(made.status, JSON.stringify(made.json)).toBe(201)
    expect(made.json).toMatchObject(values)
    const { id, odd: _odd, ...sent } = made.json
    const before = await service.query('select * from things')
    const put = await service.send('PUT', `/things/${id}`, sent)
    expect(put.status, JSON.stringify(put.json)).toBe(200)
    expect(put.json).toEqual(made.json)
    const after = await service.query('select * from things')
    expect(after.map(({ note: _note, ...row }) => row)).toEqual(before.map(({ note: _note, ...row }) => row))
  })

  it.each([
    ['priceNumber', '12.5'],
    ['priceText', '9.25'],
    ['priceMoney', '0.75'],
    ['flag', 'true'],
    ['at', dialect.moment],
    ['big', '9007199254740991'],
    ['name', 'amp'],
    ['owner', prefixedExample],
    ['cost', '10.25'],
    ['mail', 'BABBAGE@example.com'],
    ['day', '2026-01-31'],
    ['code', '3F2504E0-4f89-41d3-9a0c-0305e82c3301'],
  ])('%s is filtered by its values', async (field, text) => {
    const found = await ask(`${field}=${text}`, '&count=exact')
    expect([found.status, found.json['count']], JSON.stringify(found.json)).toEqual([200, 1])
    const [other] = itemsOf(await ask(`${field}=null`))
    expect(other).toBeUndefined()
  })

  it('are ordered where what is stored has the order of the values', async () => {
    for (const cost of ['9.50', '100.00']) await service.send('POST', '/things/', { cost })
    const sorted = await service.send('GET', '/things/?sort=cost&fields=cost')
    expect(itemsOf(sorted).map(({ cost }) => cost)).toEqual(['9.50', '10.25', '100.00'])
    expect(itemsOf(await ask('cost>9.99'))).toHaveLength(2)
    const first = await service.send('GET', '/things/?sort=cost&order=desc&limit=1')
    expect(itemsOf(first)[0]).toMatchObject({ cost: '100.00' })
    for (const q of ['day>2026-01-01', 'owner>a', 'note=between us', 'tags=a', 'prefs=a', 'odd=a', 'loose=a'])
      expect([q, (await ask(q)).status, (await ask(q)).json['code']]).toEqual([q, 400, 'invalid_operator'])
  })

  it('find no record by a value that the mapper refuses, and store none', async () => {
    expect(itemsOf(await ask('owner=nonsense'))).toEqual([])
    expect(itemsOf(await ask('owner!=nonsense')).length).toBeGreaterThan(0)
    for (const body of [{ owner: 'nonsense' }, { prefs: { no: 'theme' } }, { odd: '2026-01-31' }]) {
      const refused = await service.send('POST', '/things/', body)
      const [field] = Object.keys(body)
      expect([refused.status, refused.json['errors']]).toMatchObject([422, [{ pointer: `/${field}` }]])
    }
  })

  it('of unknown values take what their mappers show, and nothing else', async () => {
    for (const loose of [{ a: 1 }, ['a'], { toString: 'x' }]) {
      const refused = await service.send('POST', '/things/', { loose })
      expect([refused.status, refused.json['errors']]).toMatchObject([
        422,
        [{ pointer: '/loose', code: 'invalid' }],
      ])
    }
    expect((await service.send('POST', '/things/', { loose: 'text' })).json).toMatchObject({ loose: 'text' })
    expect(service.notes).toHaveLength(1)
    expect(service.notes[0]).toMatch(naming('odd', 'loose', 'text', 'columns: {'))
  })

  it('are unique as they are stored', async () => {
    const again = await service.send('POST', '/things/', { mail: 'BABBAGE@EXAMPLE.COM' })
    expect([again.status, again.json['errors']]).toMatchObject([409, [{ pointer: '/mail' }]])
  })

  it('have examples in the document that the service takes', async () => {
    const { json } = await service.send('GET', '/openapi.json')
    const document = json as never as {
      paths: {
        '/things/': { post: { requestBody: { content: { 'application/json': { example: object } } } } }
      }
    }
    const { example } = document.paths['/things/'].post.requestBody.content['application/json']
    const made = await service.send('POST', '/things/', example)
    expect(made.status, JSON.stringify([made.json, example])).toBe(201)
    expect(example).toMatchObject({
      owner: prefixedExample,
      prefs: { theme: 'dark' },
      odd: null,
      loose: null,
    })
  })
})
