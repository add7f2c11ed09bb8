import { type INestApplication, Inject, type InjectionToken, Module, Req, type Type } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import type { ModelSource } from 'modelrest'
import { memorySource } from 'modelrest/testing'
import { onTestFinished } from 'vitest'
import { listenNest, stderrLogger } from './listen.ts'

export const tasks = (): ModelSource<unknown> =>
  memorySource([
    {
      name: 'Task',
      fields: [
        { name: 'id', kind: 'integer', hasDefault: true },
        { name: 'title', kind: 'text' },
        { name: 'size', kind: 'float', nullable: true, hasDefault: true },
      ],
      primaryKey: ['id'],
    },
  ])

interface Decorators {
  readonly on?: readonly ClassDecorator[]
  /** Method -> its decorators. Its parameter is the request. */
  readonly methods?: Readonly<Record<string, readonly MethodDecorator[]>>
  /** What the constructor injects. */
  readonly inject?: readonly InjectionToken[]
}

/** Calls decorators, because Vitest does not support their syntax. */
export const decorated = <Class extends Type>(
  made: Class,
  { on = [], methods = {}, inject = [] }: Decorators,
): Class => {
  for (const [at, token] of inject.entries()) Inject(token)(made, undefined, at)
  for (const [name, decorators] of Object.entries(methods)) {
    Req()(made.prototype, name, 0)
    const descriptor = Object.getOwnPropertyDescriptor(made.prototype, name)
    if (descriptor === undefined) throw new Error(`There is no method ${name}.`)
    for (const decorate of decorators) decorate(made.prototype, name, descriptor)
  }
  for (const decorate of on) decorate(made)
  return made
}

export const platforms = ['express', 'fastify'] as const

type Platform = (typeof platforms)[number]

type Metadata = Parameters<typeof Module>[0]

/** An application that the end of the test closes. */
export const created = async (
  platform: Platform,
  metadata: Metadata,
  options: { readonly rawBody?: true; readonly bodyParser?: false } = {},
): Promise<INestApplication> => {
  const module = decorated(class AppModule {}, { on: [Module(metadata)] })
  const given = { ...options, logger: stderrLogger, abortOnError: false }
  const app =
    platform === 'express'
      ? await NestFactory.create(module, given)
      : await NestFactory.create(module, new FastifyAdapter(), given)
  onTestFinished(() => app.close())
  return app
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: ReturnType<typeof JSON.parse>
}

export type Ask = (path: string, init?: RequestInit) => Promise<Answer>

export const asking = async (app: INestApplication): Promise<Ask> => {
  const { port } = await listenNest(app)
  return async (path, init) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init)
    const { status, headers } = response
    const text = await response.text()
    return { status, headers, text, json: /^[{[]/.test(text) ? JSON.parse(text) : undefined }
  }
}

export const json = (body: unknown, method = 'POST') => ({
  ...{ method, body: typeof body === 'string' ? body : JSON.stringify(body) },
  headers: { 'content-type': 'application/json' },
})
