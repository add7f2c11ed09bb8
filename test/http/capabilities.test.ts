import { describe, expect, it } from 'vitest'
import type { Capabilities, TableFacts } from '../../src/entry/source.ts'
import { type ControllerClass, controllerFor, type ModelRestOptions } from '../../src/index.ts'
import { memorySource } from '../../src/testing/index.ts'
import { naming } from '../naming.ts'
import { type Served, serveModels } from '../stage/serve-models.ts'
import { startError } from './start-error.ts'

const tables: readonly TableFacts[] = [
  {
    name: 'Ticket',
    fields: [
      { name: 'id', kind: 'integer', hasDefault: true },
      { name: 'name', kind: 'text', maxLength: 50 },
      { name: 'tenant', kind: 'text', maxLength: 50, nullable: true },
      { name: 'code', kind: 'uuid', hasDefault: true },
      { name: 'level', kind: 'integer', hasDefault: true, default: 1 },
    ],
    primaryKey: ['id'],
  },
]
const defaults = { Ticket: { code: () => crypto.randomUUID() } }
const names = ['50% of', '50x of', 'Lamp', 'lamp']

const serve = async (
  without: readonly (keyof Capabilities)[],
  options: Partial<ModelRestOptions> = {},
  facts = tables,
): Promise<Served> => {
  const records = { Ticket: names.map((name) => ({ name, tenant: 'a' })) }
  const models = memorySource(facts, { defaults, without, ...(facts === tables && { records }) })
  return serveModels({ models, close: () => undefined } as never, options)
}

const parametersOf = async (send: Served['send'], path: string) => {
  const [, document] = await send('GET', '/openapi.json')
  const { paths, components } = Object(document)
  return JSON.stringify([paths[path].get.parameters, components.parameters])
}

const ticket = (parts: object) =>
  (controllerFor as (model: string, parts: object) => ControllerClass)('Ticket', parts)

describe('a source with all capabilities', () => {
  it('filters by exact text, searches for wildcards, and replaces by the default', async () => {
    const { send } = await serve([])
    expect(await send('GET', '/tickets/?q=name==Lamp')).toMatchObject([200, { count: 1 }])
    expect(await send('GET', `/tickets/?q=${encodeURIComponent('name=50%')}`)).toMatchObject([
      200,
      { count: 1 },
    ])
    const [, before] = await send('GET', '/tickets/1')
    const [status, after] = await send('PUT', '/tickets/1', { name: 'x' })
    expect([status, after]).toMatchObject([200, { id: 1, name: 'x', tenant: null, level: 1 }])
    expect(Object(after).code).not.toBe(Object(before).code)
  })
})

describe('without exactText', () => {
  it.each(['name==Lamp', 'name!=Lamp', 'name==null&name==Lamp', 'tenant==a'])(
    'the filter %s is 400',
    async (filter) => {
      const { send } = await serve(['exactText', 'exactKeys'])
      const [status, problem] = await send('GET', `/tickets/?q=${encodeURIComponent(filter)}`)
      expect([status, problem]).toMatchObject([
        400,
        { code: 'invalid_operator', errors: [{ parameter: 'q' }] },
      ])
    },
  )

  it('other filters work', async () => {
    const { send } = await serve(['exactText', 'exactKeys'])
    for (const [filter, count] of [
      ['name=lamp', 2],
      ['tenant=null', 0],
      ['tenant!=null', 4],
      ['level==1', 4],
    ] as const)
      expect(await send('GET', `/tickets/?q=${filter}`)).toMatchObject([200, { count }])
  })

  it('a scope on a text by equality is an error of the application', async () => {
    const { send, lines } = await serve(['exactText', 'exactKeys'], {
      controllers: [ticket({ scope: () => ({ tenant: 'a' }) })] as never,
    })
    expect(await send('GET', '/tickets/')).toMatchObject([500, { code: 'internal_error' }])
    expect(lines.join()).toMatch(naming('scope', 'Ticket'))
  })

  const strings: readonly TableFacts[] = [
    {
      name: 'Ticket',
      fields: [
        { name: 'id', kind: 'integer', hasDefault: true },
        { name: 'address', kind: 'token' },
        { name: 'state', kind: 'enum', values: ['Open', 'open', 'closed'] },
        { name: 'accented', kind: 'enum', values: ['resume', 'résumé'] },
        { name: 'level', kind: 'enum', values: ['low', 'high'] },
        { name: 'digest', kind: 'text', conditions: 'equality' },
      ],
      primaryKey: ['id'],
      uniques: [['address']],
    },
    {
      name: 'Note',
      fields: [
        { name: 'id', kind: 'integer', hasDefault: true },
        { name: 'address', kind: 'token' },
      ],
      primaryKey: ['id'],
    },
  ]

  it.each([
    'address==a',
    'address!=a',
    'state==open',
    'accented==resume',
    'digest==a',
    'digest=a',
    'digest>a',
  ])('the filter %s is 400, whatever the kind of string', async (filter) => {
    const { send } = await serve(['exactText', 'exactKeys'], {}, strings)
    expect(await send('GET', `/tickets/?q=${encodeURIComponent(filter)}`)).toMatchObject([
      400,
      { code: 'invalid_operator', errors: [{ parameter: 'q' }] },
    ])
    expect(await send('GET', `/tickets/?q=${filter.slice(0, filter.search(/[!=<>]/))}=null`)).toMatchObject([
      200,
      { count: 0 },
    ])
  })

  it('an enum whose values differ in more than their case can be compared', async () => {
    const { send } = await serve(['exactText', 'exactKeys'], {}, strings)
    expect(await send('GET', '/tickets/?q=level==low')).toMatchObject([200, { count: 0 }])
  })

  it.each(['address', 'state', 'digest'])(
    'a scope on the string %s is an error of the application',
    async (field) => {
      const controllers = [ticket({ scope: () => ({ [field]: 'open' }) })] as never
      const { send, lines } = await serve(['exactText', 'exactKeys'], { controllers }, strings)
      expect(await send('GET', '/tickets/')).toMatchObject([500, { code: 'internal_error' }])
      expect(lines.join()).toMatch(naming('scope', 'Ticket'))
    },
  )

  it.each([
    { op: 'eq', value: 'a' },
    { op: 'ne', value: 'a' },
    { op: 'in', values: ['a'] },
  ])('a filter of beforeList that compares a text by $op is an error of the application', async (part) => {
    const beforeList = (_request: unknown, query: object) => ({
      ...query,
      filter: { op: 'not', condition: { field: 'tenant', ...part } },
    })
    const { send, lines } = await serve(['exactText', 'exactKeys'], {
      controllers: [ticket({ beforeList })] as never,
    })
    expect(await send('GET', '/tickets/')).toMatchObject([500, { code: 'internal_error' }])
    expect(lines.join()).toMatch(naming('beforeList', 'Ticket'))
  })

  it.each([
    [tables, 'name'],
    [strings, 'address'],
    [strings, 'state'],
  ] as const)('a string as a primary key is refused at start', (facts, key) => {
    const keyed = facts.map((table) => ({ ...table, primaryKey: [key] })).slice(0, 1)
    expect(() => memorySource(keyed, { without: ['exactText', 'exactKeys'] })).toThrow(
      startError('Ticket', key),
    )
    expect(memorySource(keyed).models).toHaveLength(1)
  })

  it('a foreign key to a string is refused at start, because it could refer to another record', () => {
    const keyed = strings.map((table) => ({
      ...table,
      ...(table.name === 'Note' && {
        foreignKeys: [{ fields: ['address'], model: 'Ticket', references: ['address'] }],
      }),
    }))
    expect(() => memorySource(keyed, { without: ['exactText', 'exactKeys'] })).toThrow(
      startError('Note', 'Ticket', 'address'),
    )
    expect(memorySource(keyed).models).toHaveLength(2)
  })
})

describe('without exactText, with exactKeys', () => {
  const keyed: readonly TableFacts[] = [
    {
      name: 'User',
      fields: [
        { name: 'id', kind: 'text', maxLength: 30 },
        { name: 'email', kind: 'text', maxLength: 100 },
        { name: 'name', kind: 'text', maxLength: 100 },
      ],
      primaryKey: ['id'],
      uniques: [['email']],
    },
    {
      name: 'Ticket',
      fields: [
        { name: 'id', kind: 'integer', hasDefault: true },
        { name: 'ownerId', kind: 'text', maxLength: 30 },
      ],
      primaryKey: ['id'],
      foreignKeys: [{ fields: ['ownerId'], model: 'User', references: ['id'] }],
    },
  ]

  it('keys, checked foreign keys and unique fields can be text and compared, others cannot', async () => {
    const controllers = [ticket({ scope: () => ({ ownerId: 'a' }) })] as never
    const { send } = await serve(['exactText'], { controllers }, keyed)
    await send('POST', '/users/', { id: 'a', email: 'a@x.de', name: 'Ann' })
    await send('POST', '/users/', { id: 'b', email: 'b@x.de', name: 'Ben' })
    expect(await send('POST', '/tickets/', { ownerId: 'a' })).toMatchObject([201, { ownerId: 'a' }])
    expect(await send('GET', '/tickets/?q=ownerId==a')).toMatchObject([200, { count: 1 }])
    expect(await send('GET', '/users/?q=email==b@x.de')).toMatchObject([200, { items: [{ id: 'b' }] }])
    expect(await send('GET', '/users/?q=name==Ben')).toMatchObject([400, { code: 'invalid_operator' }])
    expect(await send('GET', '/users/b')).toMatchObject([200, { name: 'Ben' }])
    const documented = async (from: Served['send']) => JSON.stringify(await from('GET', '/openapi.json'))
    const exact = await serve([], { controllers }, keyed)
    expect((await documented(send)).length).toBeGreaterThan((await documented(exact.send)).length)
  })

  it('a part of a key or of a foreign key cannot be compared, because several records may have it', async () => {
    const parts: readonly TableFacts[] = [
      {
        name: 'Room',
        fields: [
          { name: 'house', kind: 'text', maxLength: 30 },
          { name: 'number', kind: 'integer' },
        ],
        primaryKey: ['house', 'number'],
      },
      {
        name: 'Ticket',
        fields: [
          { name: 'id', kind: 'integer', hasDefault: true },
          { name: 'house', kind: 'text', maxLength: 30 },
          { name: 'room', kind: 'integer' },
        ],
        primaryKey: ['id'],
        foreignKeys: [{ fields: ['house', 'room'], model: 'Room', references: ['house', 'number'] }],
      },
    ]
    const { send } = await serve(['exactText'], {}, parts)
    expect(await send('POST', '/rooms/', { house: 'a', number: 1 })).toMatchObject([201, { house: 'a' }])
    expect(await send('POST', '/tickets/', { house: 'a', room: 1 })).toMatchObject([201, { room: 1 }])
    expect(await send('GET', '/rooms/a,1')).toMatchObject([200, { number: 1 }])
    for (const path of ['/rooms/?q=house==a', '/tickets/?q=house==a'])
      expect(await send('GET', path)).toMatchObject([400, { code: 'invalid_operator' }])
    expect(await send('GET', '/rooms/?q=number==1')).toMatchObject([200, { count: 1 }])
    const controllers = [ticket({ scope: () => ({ house: 'a' }) })] as never
    const scoped = await serve(['exactText'], { controllers }, parts)
    expect(await scoped.send('GET', '/tickets/')).toMatchObject([500, { code: 'internal_error' }])
  })

  it('a reference that the database does not check must not be to a text', () => {
    const unchecked = keyed.map((table) => ({
      ...table,
      ...(table.foreignKeys && {
        foreignKeys: table.foreignKeys.map((key) => ({ ...key, unchecked: true as const })),
      }),
    }))
    expect(() => memorySource(unchecked, { without: ['exactText'] })).toThrow(
      startError('Ticket', 'User', 'id'),
    )
  })
})

describe('relations', () => {
  const related: readonly TableFacts[] = [
    {
      name: 'Ticket',
      fields: [
        { name: 'id', kind: 'integer', hasDefault: true },
        { name: 'ownerId', kind: 'integer' },
        { name: 'openedOn', kind: 'date', form: 'string', nullable: true },
      ],
      primaryKey: ['id'],
      foreignKeys: [{ fields: ['ownerId'], model: 'Owner', references: ['id'] }],
    },
    {
      name: 'Owner',
      fields: [
        { name: 'id', kind: 'integer', hasDefault: true },
        { name: 'name', kind: 'text', maxLength: 50 },
      ],
      primaryKey: ['id'],
    },
  ]

  it('without relatedSort, lists are not sorted through them, and the document does not say so', async () => {
    const { send } = await serve(['relatedSort'], {}, related)
    expect(await send('GET', '/tickets/?sort=owner.name')).toMatchObject([
      400,
      { code: 'invalid_operator', errors: [{ parameter: 'sort' }] },
    ])
    expect(await send('GET', '/tickets/?q=owner.name==x&include=owner')).toMatchObject([200, { count: 0 }])
    expect(await parametersOf(send, '/tickets/')).not.toContain('"owner.')
    const able = await serve([], {}, related)
    expect(await able.send('GET', '/tickets/?sort=owner.name')).toMatchObject([200, { count: 0 }])
  })

  it('without relatedSort, a sort of beforeList through them is an error of the application', async () => {
    const beforeList = (_request: unknown, query: object) => ({
      ...query,
      order: [{ field: 'name', direction: 'asc', via: [{ relation: 'owner' }] }],
    })
    const controllers = [ticket({ beforeList })] as never
    const { send, lines } = await serve(['relatedSort'], { controllers }, related)
    expect(await send('GET', '/tickets/')).toMatchObject([500, { code: 'internal_error' }])
    expect(lines.join()).toMatch(naming('beforeList', 'Ticket'))
    expect(await (await serve([], { controllers }, related)).send('GET', '/tickets/')).toMatchObject([
      200,
      {},
    ])
  })

  it('without dateParts, records are grouped by values alone', async () => {
    const { send } = await serve(['dateParts'], {}, related)
    const path = '/tickets/aggregate?group=month(openedOn)'
    expect(await send('GET', path)).toMatchObject([
      400,
      { code: 'invalid_operator', errors: [{ parameter: 'group' }] },
    ])
    expect(await send('GET', '/tickets/aggregate?group=openedOn')).toMatchObject([200, {}])
    expect(await parametersOf(send, '/tickets/aggregate')).not.toMatch(/month|timezone/)
    const able = await serve([], {}, related)
    expect(await able.send('GET', path)).toMatchObject([200, {}])
    expect(await parametersOf(able.send, '/tickets/aggregate')).toMatch(/month.*timezone/)
  })
})

describe.each<readonly [keyof Capabilities, query: string, operator: RegExp]>([
  ['startsWith', 'name^=L', /\^=/],
  ['equalsIgnoringCase', 'name~=LAMP', /~=/],
  ['jsonPaths', 'meta.size>10', /meta\.size/],
  ['arrayElements', 'tags=red', /some element/],
  ['countDistinct', 'aggregate=count_distinct(name)', /count_distinct/],
  ['having', 'having=count>0', /having/],
])('without %s', (capability, query, operator) => {
  const [ticketFacts] = tables
  const facts: readonly TableFacts[] = [
    {
      ...{ name: 'Ticket', primaryKey: ['id'] },
      fields: [
        ...(ticketFacts?.fields ?? []),
        { name: 'meta', kind: 'json', nullable: true, jsonPaths: true },
        {
          ...{ name: 'tags', kind: 'array', nullable: true, comparesElements: true },
          element: { kind: 'text', form: 'string', nullable: false },
        },
      ],
    },
  ]
  const isOfGroups = capability === 'countDistinct' || capability === 'having'
  const path = isOfGroups ? '/tickets/aggregate' : '/tickets/'
  const explained = async ({ send }: Served): Promise<string> => {
    const [, document] = await send('GET', '/openapi.json')
    const { description } = Object(document).info
    return `${description}${await parametersOf(send, path)}`
  }

  it(`${query} is 400, and nothing offers it`, async () => {
    const served = await serve([capability], {}, facts)
    const [status, problem] = await served.send('GET', `${path}?${query}`)
    const code = capability === 'countDistinct' ? 'invalid_value' : 'invalid_operator'
    expect([status, problem]).toMatchObject([400, { code }])
    expect(await explained(served)).not.toMatch(operator)
    const able = await serve([], {}, facts)
    expect(await able.send('GET', `${path}?${query}`)).toMatchObject([200, {}])
    expect(await explained(able)).toMatch(operator)
  })
})

describe('without literalContains', () => {
  it.each(['name=50%', 'name=a_b', 'name=a\\b'])('the filter %s is 400', async (filter) => {
    const { send } = await serve(['literalContains'])
    const [status, problem] = await send('GET', `/tickets/?q=${encodeURIComponent(filter)}`)
    expect([status, problem]).toMatchObject([
      400,
      { code: 'invalid_value', errors: [{ parameter: 'q', code: 'invalid_value' }] },
    ])
  })

  it('a search for a wildcard is 400, and other texts are found', async () => {
    const { send } = await serve(['literalContains'])
    expect(await send('GET', '/tickets/?search=50%25')).toMatchObject([400, { code: 'invalid_value' }])
    expect(await send('GET', '/tickets/?search=lamp')).toMatchObject([200, { count: 2 }])
    expect(await send('GET', '/tickets/?q=name=lamp')).toMatchObject([200, { count: 2 }])
    expect(await send('GET', `/tickets/?q=${encodeURIComponent('name==50% of')}`)).toMatchObject([
      200,
      { count: 1 },
    ])
  })
})

describe('without databaseDefaults', () => {
  it('a PUT must send fields whose default only the database knows', async () => {
    const { send } = await serve(['databaseDefaults'])
    const [status, problem] = await send('PUT', '/tickets/1', { name: 'x' })
    expect([status, problem]).toMatchObject([
      422,
      { code: 'invalid_body', errors: [{ pointer: '/code', code: 'required' }] },
    ])
    const code = crypto.randomUUID()
    expect(await send('PUT', '/tickets/1', { name: 'x', code, level: 5 })).toMatchObject([200, { level: 5 }])
    expect(await send('PUT', '/tickets/1', { name: 'x', code })).toMatchObject([200, { code, level: 1 }])
  })

  it('POST and PATCH do not', async () => {
    const { send } = await serve(['databaseDefaults'])
    expect((await send('POST', '/tickets/', { name: 'y' }))[0]).toBe(201)
    expect(await send('PATCH', '/tickets/1', { name: 'x' })).toMatchObject([200, { name: 'x' }])
  })
})

describe.each([['transactions'], ['rowLocks']] as const)('without %s', (capability) => {
  it('records can be created, changed and deleted', async () => {
    const { send } = await serve([capability])
    expect((await send('POST', '/tickets/', { name: 'y' }))[0]).toBe(201)
    expect((await send('PATCH', '/tickets/1', { name: 'x' }))[0]).toBe(200)
    expect((await send('DELETE', '/tickets/1'))[0]).toBe(204)
  })

  it.each(['scope', 'afterCreate', 'afterUpdate', 'afterDelete'])(
    'the hook %s is refused at start',
    async (hook) => {
      const controllers = [ticket({ [hook]: () => ({}) })] as never
      await expect(serve([capability], { controllers })).rejects.toThrow(
        startError('TicketController', hook, capability === 'rowLocks' ? 'row locks' : 'transactions'),
      )
    },
  )

  it('a model with files is refused at start', async () => {
    const filed = tables.map((table) => ({
      ...table,
      fields: [...table.fields, { name: 'scan', kind: 'file', nullable: true } as const],
    }))
    await expect(serve([capability], {}, filed)).rejects.toThrow(startError('Ticket', 'files'))
  })

  it('own records of users are refused at start', async () => {
    const users: readonly TableFacts[] = [
      {
        name: 'User',
        fields: [
          { name: 'id', kind: 'integer', hasDefault: true },
          { name: 'email', kind: 'text', maxLength: 200 },
          { name: 'password', kind: 'text', maxLength: 255 },
        ],
        primaryKey: ['id'],
        uniques: [['email']],
      },
    ]
    const options = {
      auth: true,
      modelConfig: { User: { internal: false } },
      settings: { SECRET_KEY: 'k'.repeat(64) },
    } as const
    await expect(serve([capability], options, users)).rejects.toThrow(
      startError('User', 'own record', capability === 'rowLocks' ? 'row locks' : 'transactions'),
    )
  })
})
