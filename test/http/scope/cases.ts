import type { PaginationType } from '../../../src/model/pagination.ts'
import type { Asked } from './stage.ts'

/** A request of tenant 1, and the status that both worlds answer with. */
export interface Case extends Asked {
  readonly status: number
  /** Of which paging it is. @default all */
  readonly paging?: PaginationType
}

const get = (status: number, ...paths: readonly string[]): readonly Case[] =>
  paths.flatMap((path) => [
    { method: 'GET', path, status },
    { method: 'HEAD', path, status },
  ])

const sending =
  (method: string) =>
  (path: string, ...bodies: readonly (readonly [number, unknown])[]): readonly Case[] =>
    bodies.map(([status, body]) => ({ method, path, body, status }))

const post = sending('POST')
const patch = sending('PATCH')
const put = sending('PUT')

const remove = (status: number, ...paths: readonly string[]): readonly Case[] =>
  paths.map((path) => ({ method: 'DELETE', path, status }))

const only = (paging: PaginationType, cases: readonly Case[]): readonly Case[] =>
  cases.map((each) => ({ ...each, paging }))

/** Lists of accounts, in every way in which one can ask for them. */
const accountLists: readonly Case[] = [
  ...get(
    200,
    ...['/accounts/', '/accounts/?limit=2', '/accounts/?count=none', '/accounts/?count=exact'],
    '/accounts/?count=estimated',
    '/accounts/?limit=1&count=estimated',
    '/accounts/?q=id=201',
    '/accounts/?q=id=999',
    '/accounts/?q=id==101,201,301',
    '/accounts/?q=name=ada',
    '/accounts/?name=ada&id>100',
    '/accounts/?q=email==ada@2',
    '/accounts/?q=email!=ada@1',
    '/accounts/?q=tenantId=2',
    '/accounts/?q=tenantId!=1',
    '/accounts/?q=!(tenantId=1)',
    '/accounts/?q=(tenantId=1|tenantId=2)',
    '/accounts/?q=(id=201|name=bob)',
    '/accounts/?q=parentId=201',
    '/accounts/?q=parentId=null',
    '/accounts/?q=note!=null',
    '/accounts/?search=ada',
    '/accounts/?search=@2',
    '/accounts/?sort=rating&order=desc&sort=name',
    '/accounts/?sort=tenantId&order=desc',
    '/accounts/?sort=note&order=asc&limit=1',
    '/accounts/?fields=id,name',
    '/accounts/?fields=tenantId&sort=tenantId&order=desc',
  ),
  ...get(
    200,
    ...[
      '/accounts/?include=parent',
      '/accounts/?include=accounts(count=exact)',
      '/accounts/?include=entries',
    ],
    '/accounts/?include=accountOrders(count=exact).orderItems,backupOrders.account.parent,tickets.slot.tickets',
    '/accounts/?include=accountOrders(q=account.name=ada;sort=backup.name;fields=title),accounts(limit=0;count=exact)',
    '/accounts/?fields=name&include=parent(fields=name)&sort=parent.name&order=desc',
    '/accounts/?q=parent.name=ada',
    '/accounts/?q=parent.tenantId=2',
    '/accounts/?q=parent=null',
    '/accounts/?q=!(accounts.name=child)',
    '/accounts/?q=accounts!=null',
    '/accounts/?q=accounts.rating=5',
    '/accounts/?accountOrders.title==foreign',
    '/accounts/?accountOrders.tenantId=2',
    '/accounts/?q=accountOrders(title=lamp%26orderItems.quantity>1)',
    '/accounts/?q=!(accountOrders(title=foreign|backup.id=201))',
    '/accounts/?q=tickets.slot.room=t2',
    '/accounts/?q=entries.order.account.id=101&sort=parent.rating&sort=parent.id&order=desc',
  ),
  ...get(
    400,
    '/accounts/?include=unknown',
    '/accounts/?include=parent(fields=unknown)',
    '/accounts/?q=parent.unknown=1',
    '/accounts/?sort=accounts.name',
  ),
  ...get(
    400,
    '/accounts/?q=unknown=1',
    '/accounts/?q=id=x',
    '/accounts/?sort=unknown',
    '/accounts/?fields=unknown',
  ),
  ...only('limit-offset', [
    ...get(200, '/accounts/?limit=0', '/accounts/?limit=0&count=estimated', '/accounts/?offset=1'),
    ...get(200, '/accounts/?offset=3', '/accounts/?offset=4', '/accounts/?limit=1&offset=2&count=estimated'),
    ...get(200, '/accounts/?q=tenantId=2&limit=0', '/accounts/?search=ada&limit=0', '/accounts/?limit=3'),
  ]),
  ...only(
    'page-number',
    get(
      200,
      '/accounts/?page=1',
      '/accounts/?page=2',
      '/accounts/?page=3',
      '/accounts/?page=2&count=estimated',
    ),
  ),
  ...only('cursor', [
    ...get(400, '/accounts/?limit=0', '/accounts/?cursor=AAAA'),
    ...get(
      200,
      '/accounts/?limit=1&sort=rating&count=exact',
      '/accounts/?limit=3',
      '/accounts/?limit=3&count=estimated',
    ),
  ]),
]

const account = { tenantId: 1, name: 'new' }
const order = { title: 'new', accountId: 101 }
const ticket = { tenantId: 1 }

const idBelow = (act: 'list' | 'create', model: string, relation: string): string =>
  `${act}${relation.slice(0, 1).toUpperCase()}${relation.slice(1)}Of${model}`

/** Lists below records of the tenant, of another one, and that are missing. */
const listsBelow = (
  relations: Readonly<Record<string, readonly [model: string, ...relations: string[]]>>,
): Readonly<Record<string, readonly Case[]>> =>
  Object.fromEntries(
    Object.entries(relations).flatMap(([path, [model, ...names]]) =>
      names.map((name) => [
        idBelow('list', model, name),
        [
          ...get(200, `/${path}/101/${name}/`, `/${path}/102/${name}/?count=exact`),
          ...get(404, `/${path}/201/${name}/`, `/${path}/999/${name}/`),
        ],
      ]),
    ),
  )

const below = (relation: string, ...bodies: readonly (readonly [number, unknown])[]): readonly Case[] => [
  ...post(`/accounts/101/${relation}/`, ...bodies),
  ...[201, 999].flatMap((id) =>
    post(`/accounts/${id}/${relation}/`, ...bodies.map(([, body]) => [404, body] as const)),
  ),
]

/** What can be asked of each operation. An operation, or a parameter of one, that is not here fails the test. */
export const cases: Readonly<Record<string, readonly Case[]>> = {
  getAccess: get(200, '/access'),
  aggregateAccounts: [
    ...get(
      200,
      ...['/accounts/aggregate', '/accounts/aggregate?q=tenantId=2', '/accounts/aggregate?group=parentId'],
      '/accounts/aggregate?aggregate=count,sum(rating),avg(rating),min(name),max(id)',
      '/accounts/aggregate?group=tenantId&aggregate=count&sort=count&order=desc',
      '/accounts/aggregate?group=name,rating&aggregate=count,max(email)&sort=max_email',
      '/accounts/aggregate?group=tenantId,name&having=(tenantId=2|name=foreign)',
      '/accounts/aggregate?aggregate=max(name),sum(rating)&having=!(max_name=own)%26sum_rating!=7',
      '/accounts/aggregate?accounts.name=child',
      '/accounts/aggregate?group=name&q=!(accountOrders.title=foreign)',
      '/accounts/aggregate?search=ada&timezone=Europe/Berlin',
    ),
    ...only('limit-offset', get(200, '/accounts/aggregate?group=id&limit=1')),
    ...get(400, '/accounts/aggregate?group=unknown', '/accounts/aggregate?aggregate=sum(unknown)'),
  ],
  aggregateAccountNames: get(200, '/account-names/aggregate?group=tenantId'),
  aggregateOrders: get(200, '/orders/aggregate?group=accountId&aggregate=count,max(title)'),
  aggregateOrderItems: get(200, '/order-items/aggregate?aggregate=count,sum(quantity),avg(quantity)'),
  aggregateSlots: [
    ...get(200, '/slots/aggregate?group=room'),
    ...get(400, '/slots/aggregate?group=tenantId', '/slots/aggregate?aggregate=max(tenantId)'),
  ],
  aggregateTickets: get(200, '/tickets/aggregate?group=room&slot.label=one'),
  aggregateEntries: get(200, '/entries/aggregate?account.name=ada', '/entries/aggregate?q=order=null'),
  ...listsBelow({
    accounts: ['Account', 'accounts', 'accountOrders', 'backupOrders', 'tickets', 'entries'],
    orders: ['Order', 'orderItems', 'entries'],
  }),
  [idBelow('list', 'Slot', 'tickets')]: [
    ...get(200, '/slots/t1,1/tickets/', '/slots/t1,2/tickets/'),
    ...get(404, '/slots/t2,1/tickets/', '/slots/t9,1/tickets/'),
  ],
  [idBelow('create', 'Account', 'accounts')]: below(
    'accounts',
    [201, { name: 'new' }],
    [422, { parentId: 201 }],
  ),
  [idBelow('create', 'Account', 'accountOrders')]: below(
    'accountOrders',
    [201, { title: 'new' }],
    [422, { title: 'new', backupId: 201 }],
    [422, { title: 'new', accountId: 201 }],
  ),
  [idBelow('create', 'Account', 'backupOrders')]: below(
    'backupOrders',
    [201, { title: 'new', accountId: 101 }],
    [422, { title: 'new', accountId: 201 }],
  ),
  [idBelow('create', 'Account', 'tickets')]: below(
    'tickets',
    [201, { ...ticket, room: 't1' }],
    [422, { ...ticket, room: 't2' }],
  ),
  [idBelow('create', 'Account', 'entries')]: below('entries', [201, {}], [422, { orderId: 201 }]),
  [idBelow('create', 'Order', 'orderItems')]: [
    ...post('/orders/101/orderItems/', [201, { line: 7 }], [409, { line: 1 }]),
    ...post('/orders/201/orderItems/', [404, { line: 7 }], [404, { line: 1 }]),
    ...post('/orders/999/orderItems/', [404, { line: 7 }], [404, '{']),
  ],
  [idBelow('create', 'Order', 'entries')]: [
    ...post('/orders/101/entries/', [201, {}], [422, { accountId: 201 }]),
    ...post('/orders/201/entries/', [404, {}], [404, { orderId: 201 }]),
  ],
  [idBelow('create', 'Slot', 'tickets')]: [
    ...post('/slots/t1,1/tickets/', [201, ticket], [422, { ...ticket, accountEmail: 'ada@2' }]),
    ...post('/slots/t2,1/tickets/', [404, {}], [404, { room: 't2', place: 1 }]),
  ],
  listAccounts: accountLists,
  getAccount: [
    ...get(
      200,
      '/accounts/101?include=accounts,accountOrders.orderItems',
      '/accounts/101?include=backupOrders',
    ),
    ...get(404, '/accounts/201?include=accounts'),
    ...get(200, '/accounts/101'),
    ...get(404, '/accounts/201', '/accounts/999', '/accounts/x'),
  ],
  createAccount: post(
    '/accounts/',
    [201, account],
    [201, { name: 'filled' }],
    [201, { ...account, parentId: 101 }],
    [201, { ...account, parentId: null }],
    [422, { ...account, parentId: 201 }],
    [422, { ...account, parentId: 999 }],
    [403, { ...account, tenantId: 2 }],
    [403, { ...account, tenantId: 3 }],
    [422, { ...account, tenantId: null }],
    [409, { ...account, email: 'ada@1' }],
    [422, { tenantId: 1 }],
    [422, { ...account, unknown: 201 }],
    [422, { ...account, id: 201 }],
    [400, '{'],
  ),
  updateAccount: [
    ...patch(
      '/accounts/101',
      [200, { name: 'x' }],
      [200, {}],
      [200, { parentId: 102 }],
      [200, { parentId: null }],
    ),
    ...patch('/accounts/101', [422, { parentId: 201 }], [422, { parentId: 999 }], [422, { parentId: 'x' }]),
    ...patch('/accounts/101', [403, { tenantId: 2 }], [409, { email: 'bob@1' }], [200, { tenantId: 1 }]),
    ...['/accounts/201', '/accounts/999'].flatMap((path) =>
      patch(
        path,
        ...([
          [404, {}],
          [404, { name: 'x' }],
          [404, { tenantId: 1 }],
          [404, { email: 'bob@1' }],
        ] as const),
        ...([
          [404, { parentId: 101 }],
          [422, { parentId: 201 }],
          [422, { name: null }],
          [400, '{'],
        ] as const),
      ),
    ),
  ],
  replaceAccount: [
    ...put('/accounts/101', [200, { name: 'x' }], [200, { ...account, parentId: 102 }]),
    ...put('/accounts/101', [422, { ...account, parentId: 201 }], [422, { ...account, parentId: 999 }]),
    ...put('/accounts/101', [403, { ...account, tenantId: 2 }], [409, { ...account, email: 'bob@1' }]),
    ...put('/accounts/101', [422, { ...account, id: 201 }], [200, { ...account, id: 101 }]),
    ...['/accounts/201', '/accounts/999'].flatMap((path) =>
      put(
        path,
        [404, account],
        [404, { ...account, email: 'bob@1' }],
        [404, {}],
        [404, '{'],
        [404, { ...account, parentId: 201 }],
      ),
    ),
  ],
  deleteAccount: [
    ...remove(204, '/accounts/103'),
    ...remove(409, '/accounts/101'),
    ...remove(404, '/accounts/201', '/accounts/203', '/accounts/999'),
  ],

  listAccountNames: get(
    200,
    '/account-names/',
    '/account-names/?q=tenantId=2',
    '/account-names/?search=ada&limit=1',
  ),
  getAccountName: [
    ...get(200, '/account-names/101'),
    ...get(404, '/account-names/201', '/account-names/999'),
  ],

  listOrders: get(
    200,
    ...['/orders/', '/orders/?q=accountId=201', '/orders/?q=accountId=101', '/orders/?q=accountId==101,201'],
    ...['/orders/?q=tenantId=2', '/orders/?search=lamp', '/orders/?sort=accountId&order=desc&limit=1'],
  ),
  getOrder: [
    ...get(200, '/orders/102?include=account.accounts,backup.backupOrders,entries'),
    ...get(200, '/orders/101'),
    ...get(404, '/orders/201', '/orders/999'),
  ],
  createOrder: post(
    '/orders/',
    [201, order],
    [201, { ...order, backupId: 102 }],
    [422, { ...order, accountId: 201 }],
    [422, { ...order, accountId: 999 }],
    [422, { ...order, backupId: 201 }],
    [422, { ...order, accountId: 201, backupId: 999 }],
    [422, { ...order, accountId: 999, backupId: 201 }],
    [422, { ...order, accountId: 201, backupId: 202 }],
    [422, { ...order, tenantId: 2 }],
    [422, { ...order, tenantId: 1 }],
  ),
  updateOrder: [
    ...patch('/orders/101', [200, { accountId: 102 }], [422, { accountId: 201 }], [422, { accountId: 999 }]),
    ...patch(
      '/orders/101',
      [422, { accountId: 201, backupId: 999 }],
      [422, { accountId: 101, backupId: 202 }],
    ),
    ...patch('/orders/101', [200, { backupId: null }], [422, { tenantId: 2 }]),
    ...['/orders/201', '/orders/999'].flatMap((path) =>
      patch(path, [404, { accountId: 101 }], [422, { accountId: 201 }], [422, { backupId: 999 }]),
    ),
  ],
  replaceOrder: [
    ...put(
      '/orders/101',
      [200, order],
      [422, { ...order, accountId: 201 }],
      [422, { ...order, accountId: 999 }],
    ),
    ...put(
      '/orders/101',
      [422, { ...order, accountId: 202, backupId: 999 }],
      [200, { ...order, tenantId: 1 }],
    ),
    ...put('/orders/101', [422, { ...order, tenantId: 2 }]),
    ...['/orders/201', '/orders/999'].flatMap((path) =>
      put(path, [404, order], [404, { ...order, tenantId: 1 }]),
    ),
  ],
  deleteOrder: [...remove(409, '/orders/101'), ...remove(404, '/orders/201', '/orders/999')],

  listOrderItems: get(
    200,
    ...['/order-items/', '/order-items/?q=orderId=201', '/order-items/?q=orderId=101&limit=1'],
    ...[
      '/order-items/?sort=quantity&order=desc',
      '/order-items/?count=estimated&limit=1',
      '/order-items/?fields=line',
    ],
  ),
  getOrderItem: [
    ...get(200, '/order-items/101,1', '/order-items/101,1?include=order.account.parent'),
    ...get(404, '/order-items/201,1', '/order-items/999,1', '/order-items/101,9', '/order-items/201'),
  ],
  createOrderItem: post(
    '/order-items/',
    [201, { orderId: 101, line: 7 }],
    [422, { orderId: 201, line: 7 }],
    [422, { orderId: 999, line: 7 }],
    [422, { orderId: 201, line: 1 }],
    [409, { orderId: 101, line: 1 }],
  ),
  updateOrderItem: [
    ...patch('/order-items/101,1', [200, { quantity: 5 }]),
    ...['/order-items/201,1', '/order-items/999,1'].flatMap((path) =>
      patch(path, [404, { quantity: 5 }], [404, {}]),
    ),
  ],
  replaceOrderItem: [
    ...put('/order-items/101,1', [200, { quantity: 5 }], [200, {}]),
    ...['/order-items/201,1', '/order-items/999,1'].flatMap((path) => put(path, [404, { quantity: 5 }])),
  ],
  deleteOrderItem: [
    ...remove(204, '/order-items/101,1'),
    ...remove(404, '/order-items/201,1', '/order-items/999,1'),
  ],

  listSlots: [
    ...get(
      200,
      '/slots/',
      '/slots/?q=room=t2',
      '/slots/?search=one',
      '/slots/?sort=label&order=desc&limit=1',
    ),
    ...get(
      400,
      '/slots/?q=tenantId=2',
      '/slots/?q=tenantId=3',
      '/slots/?sort=tenantId',
      '/slots/?fields=tenantId',
    ),
  ],
  getSlot: [
    ...get(200, '/slots/t1,1?include=tickets(count=exact)'),
    ...get(200, '/slots/t1,1'),
    ...get(404, '/slots/t2,1', '/slots/t9,1', '/slots/t%31,9'),
  ],
  createSlot: post(
    '/slots/',
    [201, { room: 'n', place: 1 }],
    [409, { room: 't1', place: 1 }],
    [422, { room: 'n', place: 1, tenantId: 2 }],
    [422, { room: 'n', place: 1, tenantId: 1 }],
  ),
  updateSlot: [
    ...patch('/slots/t1,2', [200, { label: 'x' }], [422, { tenantId: 2 }]),
    ...['/slots/t2,1', '/slots/t9,1'].flatMap((path) =>
      patch(path, [404, { label: 'x' }], [422, { tenantId: 1 }]),
    ),
  ],
  replaceSlot: [
    ...put('/slots/t1,2', [200, { label: 'x' }], [200, { room: 't1', place: 2 }], [422, { tenantId: 1 }]),
    ...['/slots/t2,1', '/slots/t9,1'].flatMap((path) => put(path, [404, { label: 'x' }])),
  ],
  deleteSlot: [
    ...remove(204, '/slots/t1,2'),
    ...remove(409, '/slots/t1,1'),
    ...remove(404, '/slots/t2,1', '/slots/t2,2', '/slots/t9,1'),
  ],

  listTickets: get(
    200,
    '/tickets/',
    '/tickets/?q=room=t2',
    '/tickets/?q=room=null',
    '/tickets/?limit=1&count=exact',
  ),
  getTicket: [
    ...get(200, '/tickets/101?include=slot.tickets,account'),
    ...get(200, '/tickets/101'),
    ...get(404, '/tickets/201', '/tickets/999'),
  ],
  createTicket: post(
    '/tickets/',
    [201, { ...ticket, room: 't1', place: 2 }],
    [422, { ...ticket, room: 't2', place: 1 }],
    [422, { ...ticket, room: 't9', place: 1 }],
    [201, { ...ticket, room: 't2', place: null }],
    [201, { ...ticket, room: null, place: 1 }],
    [201, { ...ticket, accountEmail: 'ada@1' }],
    [422, { ...ticket, accountEmail: 'ada@2' }],
    [422, { ...ticket, accountEmail: 'ada@9' }],
    [422, { ...ticket, accountEmail: 'ada@2', room: 't9', place: 1 }],
    // The default of `place` completes the key.
    [201, { ...ticket, room: 't1' }],
    [422, { ...ticket, room: 't2', accountEmail: 'ada@9' }],
    [422, { ...ticket, room: 't9', accountEmail: 'ada@2' }],
    [422, { ...ticket, room: 't2' }],
    [422, { ...ticket, room: 't9' }],
  ),
  updateTicket: [
    ...patch(
      '/tickets/101',
      [200, { place: 2 }],
      [422, { place: 9 }],
      [422, { room: 't2' }],
      [422, { room: 't9' }],
    ),
    ...patch(
      '/tickets/101',
      [422, { room: 't2', place: 2 }],
      [200, { room: null }],
      [200, { room: 't1', place: 2 }],
    ),
    ...patch(
      '/tickets/101',
      ...([
        [200, { accountEmail: 'bob@1' }],
        [422, { accountEmail: 'bob@2' }],
        [422, { accountEmail: 'x' }],
      ] as const),
    ),
    // The other part is null, so that the key refers to nothing.
    ...patch('/tickets/102', [200, { room: 't2' }], [200, { room: 't9' }], [422, { room: 't2', place: 1 }]),
    ...['/tickets/201', '/tickets/999'].flatMap((path) =>
      patch(path, [404, { place: 2 }], [404, { room: 't2' }], [422, { room: 't2', place: 1 }]),
    ),
  ],
  replaceTicket: [
    ...put(
      '/tickets/101',
      [200, { ...ticket, room: 't1', place: 2 }],
      [422, { ...ticket, room: 't2', place: 1 }],
    ),
    ...put(
      '/tickets/101',
      [200, { ...ticket, room: 't1' }],
      [422, { ...ticket, room: 't2' }],
      [422, { ...ticket, room: 't9' }],
    ),
    ...put('/tickets/101', [422, { ...ticket, room: 't9', place: 1 }]),
    ...['/tickets/201', '/tickets/999'].flatMap((path) =>
      put(path, [404, { ...ticket, room: 't1', place: 2 }]),
    ),
  ],
  deleteTicket: [...remove(204, '/tickets/101'), ...remove(404, '/tickets/201', '/tickets/999')],

  // Everybody may see entries: their foreign keys alone are bound.
  listEntries: get(200, '/entries/', '/entries/?q=accountId=201', '/entries/?q=accountId=101'),
  getEntry: [
    ...get(200, '/entries/1?include=account.accounts,order.account'),
    ...get(200, '/entries/1'),
    ...get(404, '/entries/2'),
  ],
  createEntry: post(
    '/entries/',
    [201, {}],
    [201, { accountId: 101, orderId: 102 }],
    [422, { accountId: 201 }],
    [422, { accountId: 999 }],
    [422, { orderId: 201 }],
    [422, { accountId: 101, orderId: 201 }],
    [422, { accountId: 201, orderId: 999 }],
    [422, { accountId: 999, orderId: 201 }],
  ),
  updateEntry: [
    ...patch('/entries/1', [200, { accountId: 102 }], [422, { accountId: 201 }], [422, { accountId: 999 }]),
    ...patch(
      '/entries/1',
      [422, { accountId: 201, orderId: 999 }],
      [422, { orderId: 202 }],
      [200, { orderId: null }],
    ),
  ],
  replaceEntry: put(
    '/entries/1',
    [200, { accountId: 101 }],
    [422, { accountId: 201 }],
    [422, { accountId: 999 }],
    [422, { accountId: 999, orderId: 201 }],
  ),
  deleteEntry: [...remove(204, '/entries/1'), ...remove(404, '/entries/2')],
}

/** Where the database itself must tell that there is more than the caller may see. docs/scope.md lists each. */
export const telling: readonly (Asked & {
  readonly what: string
  /** With the hidden row, and without it. */
  readonly statuses: readonly [number, number]
  /** A row of another tenant that is there. */
  readonly hidden?: string
})[] = [
  {
    what: 'a unique value',
    ...{ method: 'POST', path: '/accounts/', body: { ...account, email: 'ada@2' } },
    statuses: [409, 201],
  },
  {
    what: 'a unique value',
    method: 'PATCH',
    path: '/accounts/101',
    body: { email: 'ada@2' },
    statuses: [409, 200],
  },
  {
    what: 'a unique value',
    ...{ method: 'PUT', path: '/accounts/101', body: { ...account, email: 'ada@2' } },
    statuses: [409, 200],
  },
  {
    what: 'a unique value',
    method: 'POST',
    path: '/slots/',
    body: { room: 't2', place: 1 },
    statuses: [409, 201],
  },
  {
    what: 'a change of a referenced value',
    ...{ method: 'PATCH', path: '/accounts/102', body: { email: 'new' } },
    hidden: `insert into tickets (id, tenant_id, account_email) values (250, 2, 'bob@1')`,
    statuses: [409, 200],
  },
  {
    what: 'a delete',
    ...{ method: 'DELETE', path: '/accounts/103' },
    hidden: `insert into orders (id, tenant_id, title, account_id) values (250, 2, 'hidden', 103)`,
    statuses: [409, 204],
  },
]
