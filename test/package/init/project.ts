import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Serving, serving } from '../../readme/server.ts'
import { program } from '../folders.ts'
import { cleanEnvironment, succeed } from '../shell.ts'

/** The environment of somebody who has a Node that is new enough, and npm. */
export const withNode: Readonly<Record<string, string>> = {
  PATH: `${program('')}:${cleanEnvironment()['PATH']}`,
}

/** A new project, to be worked with as a person would. */
export interface Project {
  readonly path: string
  /** Runs a line in it, with the Node of this machine. */
  run(line: string): Promise<string>
  read(file: string): string
  change(file: string, change: (text: string) => string): void
}

export const projectAt = (path: string): Project => ({
  path,
  run: (line) => succeed(line, path),
  read: (file) => readFileSync(join(path, file), 'utf8'),
  change: (file, change) => {
    const before = readFileSync(join(path, file), 'utf8')
    const after = change(before)
    if (after === before) throw new Error(`${file} stays as it is.`)
    writeFileSync(join(path, file), after)
  },
})

/** A project that serves. */
export interface ServingProject extends Serving {
  /** Sends JSON, or a form, and gives the status and what was answered. */
  ask(method: string, path: string, body?: unknown, token?: string): Promise<Answer>
}

export interface Answer {
  readonly status: number
  readonly type: string
  readonly body: Record<string, unknown>
}

/** Starts a project and waits until it serves. */
export const serve = async (
  { path }: Project,
  line: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ServingProject> => {
  const server = await serving(line, path, '/api/health/ready', env)
  return {
    ...server,
    async ask(method, where, body, token) {
      const isForm = body instanceof FormData
      const response = await fetch(server.origin + where, {
        method,
        headers: {
          ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
      })
      const text = await response.text()
      const type = response.headers.get('content-type') ?? ''
      return { status: response.status, type, body: /json/.test(type) ? JSON.parse(text) : {} }
    },
  }
}
