import { EventEmitter, once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { buildDesk } from '../../../examples/help-desk/app.ts'
import type { OpenApiDocument } from '../../../src/index.ts'
import { type Attempt, attemptsIn } from '../attempts.ts'

export type Json = Readonly<Record<string, unknown>>

export interface Reply {
  readonly status: number
  readonly text: string
  readonly json: Json
  readonly etag: string | null
}

export type Send = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Reply>

/** A user of the desk, who sends requests. */
export interface User {
  readonly id: number
  readonly send: Send
}

export interface Mail {
  readonly address: string
  readonly text: string
}

export const PASSWORD = 'a lamp for every desk'

export interface Desk {
  readonly origin: string
  readonly send: Send
  readonly user: (name: string) => Promise<User>
  /** The mails that the desk has sent, and the next one. */
  readonly mails: readonly Mail[]
  readonly nextMail: () => Promise<Mail>
  /** What another connection to the file sees and does. */
  readonly sql: Database.Database
  readonly stop: () => Promise<void>
}

export const openDesk = async (folder = mkdtempSync(join(tmpdir(), 'modelrest-desk-'))): Promise<Desk> => {
  const mails: Mail[] = []
  const sent = new EventEmitter()
  const app = await buildDesk(folder, 'a secret for tests, of at least 32 bytes', (address, text) => {
    mails.push({ address, text })
    sent.emit('mail', mails.at(-1))
  })
  const origin = await app.listen({ port: 0 })
  const sender =
    (token?: string): Send =>
    async (method, path, body, headers = {}) => {
      const isForm = body instanceof FormData
      const reply = await fetch(origin + path, {
        method,
        headers: {
          ...headers,
          ...(token && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
      })
      const text = await reply.text()
      const isJson = reply.headers.get('content-type')?.includes('json') === true
      const etag = reply.headers.get('etag')
      return { status: reply.status, text, json: isJson ? JSON.parse(text) : {}, etag }
    }
  const send = sender()
  const sql = new Database(join(folder, 'desk.db'))
  return {
    ...{ origin, send, sql, mails },
    async nextMail() {
      const [mail] = await once(sent, 'mail')
      return mail
    },
    async user(name) {
      const body = { email: `${name.toLowerCase()}@example.com`, name, password: PASSWORD }
      const { json } = await send('POST', '/auth/register', body)
      const { id } = json['user'] as { readonly id: number }
      return { id, send: sender(String(json['access'])) }
    },
    async stop() {
      await app.close()
      sql.close()
      rmSync(folder, { recursive: true })
    },
  }
}

/** An organisation with one user of each role, and what they wrote. All its texts contain its name. */
export interface Organisation {
  readonly id: number
  readonly joinCode: string
  readonly admin: User
  readonly agent: User
  readonly requester: User
  readonly ticket: number
  /** A ticket of the requester that the agent has deleted. */
  readonly deleted: number
  readonly tag: number
}

export const organisationOf = async (desk: Desk, name: string): Promise<Organisation> => {
  const admin = await desk.user(`${name}admin`)
  await admin.send('POST', '/organisations/found', { name })
  const [own] = (await admin.send('GET', '/organisations/')).json['items'] as [Json]
  const joinCode = String(own['join_code'])
  const [agent, requester] = [await desk.user(`${name}agent`), await desk.user(`${name}requester`)]
  for (const { send } of [agent, requester])
    await send('POST', '/organisations/join', { join_code: joinCode })
  await admin.send('PATCH', `/users/${agent.id}`, { role: 'agent' })
  const tag = await agent.send('POST', '/tags/', { name: `${name}tag` })
  const ticket = await requester.send('POST', '/tickets/', {
    ...{ subject: `${name}subject`, description: `${name}text`, tags: [tag.json['id']] },
    comments: [{ text: `${name}first` }, { text: `${name}second` }],
  })
  const id = Number(ticket.json['id'])
  const deleted = await requester.send('POST', '/tickets/', {
    ...{ subject: `${name}binned`, comments: [{ text: `${name}binned` }] },
  })
  await agent.send('DELETE', `/tickets/${deleted.json['id']}`)
  await agent.send('PATCH', `/tickets/${id}`, { internal_note: `${name}note` })
  await requester.send('POST', '/attachments/', attachment(id, name))
  return {
    ...{ id: Number(own['id']), joinCode, admin, agent, requester },
    ...{ ticket: id, deleted: Number(deleted.json['id']), tag: Number(tag.json['id']) },
  }
}

export const attachment = (ticket: number | undefined, text: string): FormData => {
  const form = new FormData()
  if (ticket !== undefined) form.append('ticket_id', String(ticket))
  form.append('content', new Blob([text], { type: 'text/plain' }), 'a.txt')
  return form
}

export const documentOf = async ({ send }: Pick<Desk, 'send'>): Promise<OpenApiDocument> =>
  (await send('GET', '/openapi.json')).json as unknown as OpenApiDocument

/** Requests to every operation, on the record with this key. */
export const attemptsOn = async (desk: Desk, key: number, text: string): Promise<readonly Attempt[]> =>
  attemptsIn(await documentOf(desk), {
    ...{ key, text },
    form: (path) => attachment(path.startsWith('/attachments/') ? key : undefined, text),
  })
