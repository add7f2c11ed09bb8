import { join } from 'node:path'
import Database from 'better-sqlite3'
import { hashPassword } from 'modelrest'
import { afterAll, beforeAll, inject } from 'vitest'
import { freePort } from '../../readme/server.ts'
import { signInPages } from '../examples.ts'
import type { Files } from '../folders.ts'
import { type PageProject, pageProject } from '../page-project.ts'

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: Readonly<Record<string, unknown>>
}

/** An application of docs/sign-in.md and the pages of its recipes that serves requests. */
export interface Application {
  readonly origin: string
  readonly project: PageProject
  readonly database: Database.Database
  /** Sends JSON. @param headers further ones, such as a token */
  send(
    method: string,
    path: string,
    body?: object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Reply>
  /** Adds a user whose address is verified. Returns the headers that authenticate a request of theirs. */
  userWith(email: string, values?: { readonly role?: string }): Promise<Record<string, string>>
}

export const password = 'a lamp for every desk'

/** Starts an application of the page before the tests of a file. */
export const application = (
  file: string,
  { env = () => ({}), files = {} }: { readonly env?: () => Files; readonly files?: Files } = {},
): (() => Application) => {
  let started: Application | undefined
  const closes: (() => unknown)[] = []

  beforeAll(async () => {
    const project = await pageProject(signInPages, inject('unpacked'), files)
    closes.unshift(() => project.folder.remove())
    const port = await freePort()
    const origin = `http://localhost:${port}`
    const server = await project.start(file, { PORT: `${port}`, ORIGIN: origin, ...env() })
    closes.unshift(server.close)
    const database = new Database(join(project.folder.path, 'desk.db'))
    closes.unshift(() => database.close())
    const send: Application['send'] = async (method, path, body, headers = {}) => {
      const response = await fetch(origin + path, {
        ...{ method, redirect: 'manual' },
        headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
        ...(body && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      const json = text.startsWith('{') ? JSON.parse(text) : {}
      return { status: response.status, headers: response.headers, text, json }
    }
    const hash = await hashPassword(password)
    const userWith: Application['userWith'] = async (email, { role = 'member' } = {}) => {
      const values = { email, hash, role }
      database
        .prepare('insert into users (email, email_verified, password, role) values (:email, 1, :hash, :role)')
        .run(values)
      const { json } = await send('POST', '/auth/login', { email, password })
      return { authorization: `Bearer ${json['access']}` }
    }
    started = { origin, project, database, send, userWith }
  })

  afterAll(async () => {
    for (const close of closes) await close()
  })

  return () => {
    if (started === undefined) throw new Error('The application has not started.')
    return started
  }
}

/** The cookies of a response, for the next request. */
export const cookiesOf = ({ headers }: Reply): string =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.slice(0, cookie.indexOf(';')))
    .join('; ')
