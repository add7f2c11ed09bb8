import type { Transcript } from './transcript.ts'

const ofProducts: readonly string[] = [
  ...['', 'limit=3', 'limit=3&offset=50', 'limit=3&offset=1000000', 'limit=0'],
  ...[
    'q=name=LAMP',
    'q=name==Desk lamp',
    'q=name=="desk lamp"',
    'q=name==Desk lamp,Tea pot',
    'q=name!=Desk lamp&limit=2',
  ],
  ...[
    'q=price>100',
    'q=price<=3.20',
    'q=price==9.9',
    'q=price!=9.90&limit=2',
    'q=in_stock=false',
    'q=id==1,2,3,99999',
  ],
  ...[
    'q=(price<5|price>180)',
    'q=!(in_stock=true)',
    'q=name=lamp&price<20&in_stock=true',
    'q=name=%25',
    'q=name=_',
  ],
  ...[
    'sort=price&limit=5',
    'sort=price&order=desc&limit=5',
    'sort=in_stock&sort=price&order=desc&order=asc&limit=5',
  ],
  ...[
    'sort=name&limit=5',
    'search=chair',
    'search=oak lamp',
    'fields=name&limit=2',
    'count=none&limit=2',
    'count=estimated&limit=2',
  ],
]

const others: readonly string[] = [
  'orders/?q=note=null&limit=2',
  'orders/?q=note!=null&sort=note&limit=3',
  'orders/?sort=weight_kg&limit=3',
  'orders/?sort=weight_kg&order=desc&limit=3',
  'orders/?sort=shipped_at&order=desc&limit=2',
  'orders/?q=created_at>=2025-12-01&created_at<2025-12-03',
  'orders/?q=shipped_at>2025-12-27T00:00:00Z',
  'orders/?q=status==paid,shipped&sort=id&order=desc&limit=2',
  'orders/?q=weight_kg=0.1',
  'customers/?q=email=TORRES&limit=2',
  'customers/?sort=loyalty_points&order=desc&sort=name&limit=3',
  'customers/?q=phone=null&limit=2&fields=name',
  'categories/?q=parent_id=1',
  'categories/?sort=parent_id&order=desc&limit=3',
  'product-categories/?q=featured=true&sort=category_id&limit=4',
  'order-items/?q=quantity>=4&sort=unit_price&order=desc&limit=3',
]

/** Filters, sorts and pages. */
export const listsAnswer = async ({ ask }: Transcript): Promise<void> => {
  for (const query of ofProducts) await ask(`products/?${query.replaceAll(' ', '%20')}`)
  for (const path of others) await ask(path)
}

/** All rows by one sort after another, a cursor at a time. @param base the path of the service that pages so */
export const cursorsGoOn = async ({ ask }: Transcript, base: string): Promise<void> => {
  for (const query of ['limit=40', 'limit=40&sort=price&order=desc', 'limit=40&q=in_stock=true&sort=name']) {
    let next: unknown
    do {
      const { json } = await ask(`${base}/products/?${query}${next ? `&cursor=${next}` : ''}`)
      next = json['next']
    } while (typeof next === 'string')
  }
  await ask(`${base}/orders/?limit=700&sort=shipped_at&fields=shipped_at`)
  await ask(`${base}/products/?limit=2&cursor=nonsense`)
}
