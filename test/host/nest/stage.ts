import { type INestApplication, Inject, type InjectionToken, Module, Req, type Type } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import type { ModelSource } from 'modelrest'
import { onTestFinished } from 'vitest'
import { type Ask, askingAt, size, tasks as tasksWith } from '../stage.ts'
import { listenNest, stderrLogger } from './listen.ts'

export const tasks = (): ModelSource<unknown> => tasksWith(size)

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

export const asking = async (app: INestApplication): Promise<Ask> => {
  const { port } = await listenNest(app)
  return askingAt(port)
}
