import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { onTestFinished } from 'vitest'
import { type RunningService, type ServeOptions, serveDatabase } from '../../src/serve/index.ts'

export const TOKEN = 'a-token-of-these-tests'

export interface Got {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
  readonly json: unknown
}

export interface Sending {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array | string
}

/** Sends a request as it is: a browser and `fetch` would not send another `Host`. */
export const sendTo = (url: string, target: string, { method = 'GET', headers = {}, body }: Sending = {}) =>
  new Promise<Got>((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const sent = request({
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port,
      path: target,
      method,
      headers,
      agent: false,
    })
    sent.on('error', reject)
    sent.on('response', (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(parts).toString()
        const isJson = /json/.test(String(response.headers['content-type']))
        const json: unknown = isJson && text !== '' ? JSON.parse(text) : undefined
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json })
      })
    })
    sent.end(body)
  })

export interface Serving extends RunningService {
  get(target: string, headers?: Readonly<Record<string, string>>): Promise<Got>
  send(target: string, sending: Sending): Promise<Got>
}

const plain: Omit<ServeOptions, 'database'> = {
  ...{ folder: process.cwd(), host: '127.0.0.1', port: 0, writes: false, timeout: 10_000, comments: false },
  load: (name) => import(name),
}

/** Serves a database until the test ends. */
export const serving = async (
  options: Pick<ServeOptions, 'database'> & Partial<ServeOptions>,
  isEnded: (close: () => Promise<void>) => void = onTestFinished,
): Promise<Serving> => {
  const running = await serveDatabase({ ...plain, ...options })
  isEnded(running.close)
  const { url } = running.about
  return {
    ...running,
    get: (target, headers = {}) => sendTo(url, target, { headers }),
    send: (target, sending) => sendTo(url, target, sending),
  }
}

/** A new file of SQLite, removed after the test. */
export const sqliteFile = (...statements: readonly string[]): string => {
  const folder = mkdtempSync(join(tmpdir(), 'modelrest-serve-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'shop.db')
  change(file, ...statements)
  return file
}

/** Runs statements on a file, as another program does. */
export const change = (file: string, ...statements: readonly string[]): void => {
  const db = new DatabaseSync(file)
  for (const statement of statements) db.exec(statement)
  db.close()
}

export const shop: readonly string[] = [
  'create table customers (id integer primary key, email varchar(99) not null unique, password_hash text)',
  `create table orders (id integer primary key, customer_id integer not null, total decimal(9, 2) not null, state varchar(9) default 'new',
    foreign key (customer_id) references customers (id))`,
  `insert into customers values (1, 'ann@example.com', 'xyz')`,
  `insert into orders values (1, 1, 9.5, 'paid')`,
]

export const json = { 'content-type': 'application/json' } as const
