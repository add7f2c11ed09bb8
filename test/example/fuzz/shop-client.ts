import type { Model, Operation } from 'modelrest'
import { baseUrl, type Shop } from '../../../examples/shop/app.ts'
import type { Body } from './bodies.ts'
import { rowsFor } from './reach.ts'
import type { Request } from './requests.ts'
import { isLink, isUnique, type Link } from './values.ts'

type Row = Readonly<Record<string, unknown>>

/** A request as it is sent. */
export interface Sent {
  readonly method: Operation['method']
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload?: string | Buffer
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

/** Sends generated requests to a shop, and knows which records there are. */
export class ShopClient {
  readonly #shop: Shop
  readonly #rows = new Map<string, readonly Row[]>()
  /** The customer in whose name the request at hand comes. */
  #customer: unknown
  #made = 0

  constructor(shop: Shop) {
    this.#shop = shop
  }

  /** Looks at the records that there are now. */
  async look(): Promise<void> {
    for (const { name, path } of this.#shop.rest.models) {
      const { text } = await this.send({
        method: 'GET',
        url: `${baseUrl}/${path}/?limit=1000&count=none`,
        headers: {},
      })
      this.#rows.set(name, (JSON.parse(text) as { readonly items: readonly Row[] }).items)
    }
  }

  async send({ payload, ...sent }: Sent): Promise<Answer> {
    const reply = await this.#shop.app.inject({ ...sent, ...(payload !== undefined && { payload }) })
    return { status: reply.statusCode, headers: reply.headers, text: reply.body }
  }

  /** A generated request, about records that there are: where it comes from a customer, about theirs. */
  async settle(model: Model, operation: Operation, request: Request): Promise<Sent> {
    this.#customer = undefined
    if (request.customer !== undefined) this.#customer = this.#pick('Order', request.customer)['customer_id']
    const record = operation.path.includes('{id}')
      ? await this.#segment(model, operation, request)
      : undefined
    const path =
      baseUrl + (record === undefined ? operation.path : operation.path.replace('{id}', () => record))
    const payload = await this.#payload(request.body, path)
    return {
      method: operation.method,
      url: request.query === '' ? path : `${path}?${request.query}`,
      headers: {
        ...(payload !== undefined && {
          'content-type': 'form' in request.body ? formType : 'application/json',
        }),
        ...(this.#customer !== undefined && { 'x-customer-id': String(this.#customer) }),
        ...request.headers,
      },
      ...(payload !== undefined && { payload }),
    }
  }

  async #segment(model: Model, { method }: Operation, { id, first }: Request): Promise<string> {
    if ('raw' in id) return id.raw
    const known = () =>
      method === 'POST' ? this.#target(model.name, id.pick) : this.#pick(model.name, id.pick)
    const row = first === undefined ? known() : await this.#create(model, first)
    return model.primaryKey.map((name) => encodeURIComponent(String(row[name]))).join(',')
  }

  /** A new record. Where the generated one is refused (its key is taken), one that there is already. */
  async #create(model: Model, body: Row): Promise<Row> {
    const { status, text } = await this.send({
      method: 'POST',
      url: `${baseUrl}/${model.path}/`,
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify(this.#linked(body)),
    })
    return status === 201 ? (JSON.parse(text) as Row) : this.#pick(model.name, 0)
  }

  #pick(model: string, index: number): Row {
    const rows = rowsFor(this.#rows, model, this.#customer)
    const row = rows[index % rows.length]
    if (row === undefined) throw new Error(`There are no records of ${model} left.`)
    return row
  }

  async #payload(body: Body, path: string): Promise<string | Buffer | undefined> {
    if ('object' in body) return JSON.stringify(this.#linked(body.object))
    if ('text' in body) return body.text
    if ('bytes' in body) return Buffer.from(body.bytes)
    if ('mutant' in body) return withRaw(this.#linked(body.mutant), body.raw)
    if ('form' in body) return formOf(this.#linked(body.form), body.images)
    if ('none' in body) return undefined
    const { text } = await this.send({ method: 'GET', url: path, headers: {} })
    return JSON.stringify({ ...(JSON.parse(text) as Row), ...this.#linked(body.copy) })
  }

  /** Mostly one that takes links: no item can join an order that is shipped. */
  #target(model: string, pick: number): Row {
    const rows = rowsFor(this.#rows, model, this.#customer)
    const open =
      pick % 4 === 0 ? [] : rows.filter(({ shipped_at }) => shipped_at === undefined || shipped_at === null)
    return open[pick % open.length] ?? this.#pick(model, pick)
  }

  #linked(body: Row): Row {
    return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, this.#value(value)]))
  }

  #value(value: unknown): unknown {
    if (isLink(value)) return this.#target(value.link.model, value.link.pick)[value.link.field]
    if (!isUnique(value)) return value
    this.#made += 1
    const ending = value.unique.isEmail ? `${this.#made}@example.com` : `~${this.#made}`
    return `${value.unique.text.slice(0, value.unique.maxLength - ending.length)}${ending}`
  }
}

const boundary = '------------------------of-the-shop'
const formType = `multipart/form-data; boundary=${boundary}`

const formOf = (texts: Row, images: Readonly<Record<string, Uint8Array>>): Buffer => {
  const part = (name: string, rest: string, content: string | Uint8Array): Buffer =>
    Buffer.concat([
      Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"${rest}\r\n\r\n`),
      Buffer.from(content as Uint8Array),
      Buffer.from('\r\n'),
    ])
  return Buffer.concat([
    ...Object.entries(texts).map(([name, value]) => part(name, '', textOf(value))),
    ...Object.entries(images).map(([name, bytes]) => part(name, '; filename="a.png"', bytes)),
    Buffer.from(`--${boundary}--\r\n`),
  ])
}

/** A value as a form has it: null is an empty text. */
const textOf = (value: unknown): string => {
  if (value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** JSON text of an object, with some members that are text already. */
const withRaw = (object: Row, raw: Readonly<Record<string, string>>): string => {
  const members = Object.entries(object).map(([name, value]) => [name, JSON.stringify(value)] as const)
  const all = [...members.filter(([name]) => !Object.hasOwn(raw, name)), ...Object.entries(raw)]
  return `{${all.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`
}
