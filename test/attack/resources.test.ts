/**
 * Requests that once ended the process, held it up or filled its memory, against a heap of 256 MB. Each may take 250 ms of CPU
 * for a megabyte at the most, and meanwhile the process says that it lives.
 */
import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { settingsTable } from '../../src/app/options.ts'
import { bodyWith, values, wholes } from './random-bodies.ts'
import { form, forms, formType, part } from './random-forms.ts'
import { type Measured, MOST_START, shortest, startTarget, type Target, within } from './stage.ts'
import type { Got, Sent } from './stage-wire.ts'

/** The most bytes of a refusal. */
const MOST_REFUSED = 64 * 1024

const MEGABYTE = 1_000_000

/** Milliseconds of CPU that nothing holds the event loop longer than, so that `/health/live` is answered within them. */
const MOST_HELD = 100

let shop: Target
let workshop: Target
beforeAll(async () => {
  ;[shop, workshop] = await Promise.all([startTarget('shop'), startTarget('workshop')])
}, MOST_START)
// One that was ended fails no other test.
beforeEach(async () => {
  if (shop.ended() !== undefined) shop = await startTarget('shop')
  if (workshop.ended() !== undefined) workshop = await startTarget('workshop')
}, MOST_START)
afterAll(() => Promise.all([shop, workshop].map((target) => target.stop())))

const json = ['content-type', 'application/json'] as const

const post = (target: Target, path: string, body: string | Buffer): Sent => ({
  method: 'POST',
  target: path,
  headers: [['authorization', target.token()], json],
  body,
})

const get = (target: Target, path: string): Sent => ({
  method: 'GET',
  target: path,
  headers: [['authorization', target.token()]],
})

const expectCheap = async (target: Target, make: () => Sent): Promise<Measured> => {
  const { measured, most } = await within(target, make)
  expect(target.ended()).toBeUndefined()
  expect(measured.status, measured.body.slice(0, 500)).toBeLessThan(500)
  if (measured.status >= 400) expect(measured.bytes).toBeLessThanOrEqual(MOST_REFUSED)
  expect(measured.cpu).toBeLessThanOrEqual(most)
  return measured
}

/** The part of a table's rows that is an object of makers of texts. */
const pick = (table: Readonly<Record<string, (size: number) => string>>, ...names: readonly string[]) =>
  names.map((name) => [name, table[name] as (size: number) => string] as const)

describe('a body of a megabyte to the login', () => {
  it.each(pick(wholes, 'a long key of imprecise numbers', 'a long key to escape', 'long keys in long keys'))(
    '%s is refused',
    async (_name, make) => {
      for (const size of [256_000, MEGABYTE]) {
        const { status } = await expectCheap(shop, () => post(shop, '/api/auth/login', make(size)))
        expect([400, 422]).toContain(status)
      }
    },
  )

  it.each(
    pick(
      values,
      ...['imprecise integers', 'large exponents', 'largest exponents', 'exponents without end'],
      ...['one exponent of digits', 'one number of digits', 'array of true', 'array of objects'],
      ...['many keys', 'long keys', 'keys to escape'],
    ),
  )('%s in the place of an address', async (_name, make) => {
    const { status } = await expectCheap(shop, () =>
      post(shop, '/api/auth/login', bodyWith({ password: 'a lamp for every desk' }, 'email', make(MEGABYTE))),
    )
    expect(status).toBe(422)
  })
})

describe('a body of a megabyte to a model', () => {
  it.each(['name', 'price', 'exact', 'amount', 'serial', 'weight', 'made_at', 'facts', 'print'])(
    'arrays, numbers and digits in the place of %s',
    async (name) => {
      const kinds = pick(
        values,
        'largest exponents',
        'array of true',
        'text of digits',
        'text of an exponent',
        'many keys',
      )
      for (const [, make] of kinds)
        await expectCheap(workshop, () =>
          post(workshop, '/api/parts/', bodyWith({ name: 'x' }, name, make(MEGABYTE))),
        )
    },
  )

  it('is not stored as many times as much', async () => {
    const { bytes } = await expectCheap(workshop, () =>
      post(workshop, '/api/parts/', JSON.stringify({ name: 'x', exact: `1e${'9'.repeat(6)}` })),
    )
    expect(bytes).toBeLessThan(MOST_REFUSED)
  })

  it('many keys in a PUT cost no more than in a POST', async () => {
    await expectCheap(workshop, () => ({
      ...post(workshop, '/api/parts/1', values['many keys']?.(MEGABYTE) ?? ''),
      method: 'PUT',
    }))
  })
})

describe('texts of 100,000 letters', () => {
  beforeAll(async () => {
    for (let index = 0; index < 50; index += 1) {
      const { status } = await workshop.send(
        post(
          workshop,
          '/api/codes/',
          JSON.stringify({ code: `code ${index}`, meaning: 'a'.repeat(100_000) }),
        ),
      )
      expect(status).toBe(201)
    }
  })

  const asked = (count: number, letters: number) =>
    Array.from({ length: count }, (_, index) => `meaning=${'a'.repeat(letters)}${index % 10}z`)

  it.each([
    ['any of 50 parts', `q=${encodeURIComponent(`(${asked(50, 31).join('|')})`)}`],
    ['any of 10 parts', `q=${encodeURIComponent(`(${asked(10, 31).join('|')})`)}`],
    ['any of 10 long parts', `q=${encodeURIComponent(`(${asked(10, 600).join('|')})`)}`],
    [
      'none of 10 parts, sorted and counted',
      `q=${encodeURIComponent(`!(${asked(10, 31).join('|')})`)}&sort=meaning&limit=1&count=exact`,
    ],
    ['a search for 32 letters', `search=${'a'.repeat(31)}z&count=exact`],
    ['a search for 4000 letters', `search=${'a'.repeat(4000)}z&count=exact`],
  ])('%s', async (_name, query) => {
    const answered = await expectCheap(workshop, () => get(workshop, `/api/codes/?${query}`))
    expect([200, 400]).toContain(answered.status)
  })

  it('leave the event loop to others', () => {
    const query = encodeURIComponent(`(${asked(10, 31).join('|')})`)
    return expectServing('parts of long texts', () => workshop.send(get(workshop, `/api/codes/?q=${query}`)))
  })
})

it('a page by eight fields that may be null is read in a few statements', async () => {
  for (let index = 0; index < 3; index += 1)
    await workshop.send(post(workshop, '/api/parts/', JSON.stringify({ name: 'twin' })))
  const parts = ['twin', ...Array.from({ length: 7 }, (_, index) => `part${index}q`)]
  const filter = encodeURIComponent(`(${parts.map((name) => `name=${name}`).join('|')})`)
  const sorts = ['about', 'price', 'exact', 'amount', 'weight', 'made_at', 'serial', 'name']
  const query = `q=${filter}&${sorts.map((name) => `sort=${name}&order=desc`).join('&')}`
  const first = await workshop.measure(get(workshop, `/api/parts/?${query}&limit=1`))
  const { next } = JSON.parse(first.body) as { readonly next: string }
  const second = await expectCheap(workshop, () =>
    get(workshop, `/api/parts/?${query}&limit=1000&cursor=${next}`),
  )
  expect((JSON.parse(second.body) as { readonly items: readonly unknown[] }).items).toHaveLength(2)
})

describe('large records', () => {
  it('become no page that fills the memory', async () => {
    for (let index = 0; index < 40; index += 1)
      await workshop.send(
        post(
          workshop,
          '/api/codes/',
          JSON.stringify({ code: `large ${index}`, meaning: 'm'.repeat(990_000) }),
        ),
      )
    const before = await workshop.memory()
    const most = settingsTable.RESPONSE_MAX_BYTES.default
    for (const query of ['limit=1000', 'limit=1000&sort=meaning', 'limit=100&search=m']) {
      const { status, bytes } = await workshop.send(get(workshop, `/api/codes/?${query}`))
      expect(status).toBeLessThan(500)
      expect(bytes).toBeLessThanOrEqual(most)
    }
    expect(workshop.ended()).toBeUndefined()
    expect((await workshop.memory()) - before).toBeLessThan(32 * MEGABYTE)
  })
})

describe('bodies in chunks of one byte', () => {
  it('of eight clients at once neither end the process nor stay', async () => {
    const before = await shop.memory()
    const sent = (): Sent => ({ ...post(shop, '/api/auth/login', `"${'a'.repeat(200_000)}"`), chunk: 1 })
    const answers = await Promise.all(Array.from({ length: 8 }, () => shop.send(sent())))
    expect(shop.ended()).toBeUndefined()
    // The server may give up on a client that sends like this.
    for (const { status } of answers) expect([0, 400, 408, 413, 422]).toContain(status)
    expect((await shop.memory()) - before).toBeLessThan(32 * MEGABYTE)
  }, 120_000)

  it('of a form with a file cost little more than Node takes for them', async () => {
    const image = forms['a large file']?.('name', 'image', 20_000)
    const make = (): Sent => ({
      ...post(shop, '/api/categories/', image ?? ''),
      headers: [
        ['authorization', shop.token()],
        ['content-type', formType],
      ],
      chunk: 1,
    })
    await expectCheap(shop, make)
  })
})

it('texts of a form are held to the same as those of JSON', async () => {
  for (const [, make] of pick(values, 'deep arrays', 'largest exponents', 'many keys')) {
    const body = form([part('name', 'x'), part('facts', make(60_000))])
    await expectCheap(workshop, () => ({
      ...post(workshop, '/api/parts/', body),
      headers: [
        ['authorization', workshop.token()],
        ['content-type', formType],
      ],
    }))
  }
})

describe('the process says that it lives', () => {
  const partsOf = (field: string, text: string) =>
    `q=${encodeURIComponent(`(${Array.from({ length: 10 }, (_, index) => `${field}=${text}${index}q`).join('|')})`)}`
  const dearPage = `/api/parts/?${partsOf('name', 'part')}&sort=about&count=exact&limit=1000`
  const login = (make: ((size: number) => string) | undefined) => (target: Target) =>
    target.send(post(target, '/api/auth/login', make?.(MEGABYTE) ?? ''))
  const attacks: readonly (readonly [string, (target: Target) => Promise<unknown>])[] = [
    ...Object.entries(wholes).map(([name, make]) => [name, login(make)] as const),
    ...pick(values, 'large exponents', 'largest exponents', 'one exponent of digits', 'array of true').map(
      ([name, make]) => [name, login((size) => bodyWith({}, 'email', make(size)))] as const,
    ),
    ['pages of large records', (target) => target.send(get(target, '/api/codes/?limit=1000'))],
    ['a hundred requests ahead of their responses', (target) => ahead(target, 100, dearPage)],
    ['thousands of requests ahead of their responses', (target) => ahead(target, 2000, dearPage)],
    [
      'chunks of one byte',
      (target) => target.send({ ...post(target, '/api/auth/login', `"${'a'.repeat(300_000)}"`), chunk: 1 }),
    ],
    [
      'registrations',
      (target) => Promise.all(Array.from({ length: 40 }, (_, index) => target.send(register(index)))),
    ],
  ]

  it.each(attacks)('under %s', (name, attack) => expectServing(name, () => attack(workshop)))
})

/** Asks whether the process lives, again and again until the attack is over. */
const liveDuring = async (attack: Promise<unknown>): Promise<void> => {
  let isOver = false
  const over = attack.finally(() => {
    isOver = true
  })
  do {
    const { status } = await workshop.send({ method: 'GET', target: '/api/health/live' })
    expect(status).toBe(200)
  } while (!isOver)
  await over
}

/** Expects that nobody else waits for long while a request is served. */
const expectServing = async (name: string, attack: () => Promise<unknown>): Promise<void> => {
  const { measured, most } = await shortest(
    workshop,
    () => workshop.heldBy(() => liveDuring(attack())),
    (held) => held,
    () => MOST_HELD,
  )
  process.stdout.write(`The event loop was held for ${Math.round(measured)} ms under ${name}\n`)
  expect(measured).toBeLessThanOrEqual(most)
}

const register = (index: number): Sent => ({
  method: 'POST',
  target: '/api/auth/register',
  headers: [json],
  body: JSON.stringify({
    email: `many-${index}-${Math.trunc(performance.now())}@example.com`,
    password: 'a lamp for every desk',
  }),
})

/** Sends requests over one connection without waiting for their responses, and goes away when no more come. */
const ahead = (target: Target, count: number, path: string): Promise<Got | undefined> =>
  new Promise((resolve) => {
    const one = `GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: ${target.token()}\r\n\r\n`
    const socket = connect(target.port, '127.0.0.1')
    let answered = 0
    socket.on('data', (bytes: Buffer) => {
      answered += bytes.toString('latin1').split('HTTP/1.1 200').length - 1
      if (answered >= count) socket.destroy()
    })
    socket.on('error', () => undefined)
    socket.once('close', () => resolve(undefined))
    socket.once('connect', () => socket.write(one.repeat(count)))
  })
