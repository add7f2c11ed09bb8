import type { DynamicModule, OnApplicationShutdown, OnModuleDestroy, OnModuleInit } from '@nestjs/common'
import {
  ApplicationConfig,
  ExternalContextCreator,
  HttpAdapterHost,
  LazyModuleLoader,
  type ModuleRef,
} from '@nestjs/core'
import { ModelRest as AnyModelRest } from '../app/model-rest.ts'
import type { ModelRestOptions } from '../app/options.ts'
import { StartError } from '../error/errors.ts'
import { defineHost } from '../host/host.ts'
import { mountedHost, type NestHostOptions, type NestParts } from '../host/nest/index.ts'
import { type Platform, platformOf } from '../host/nest/platform.ts'

/** What a module needs to serve models. */
export interface MountingParts {
  readonly options: ModelRestOptions<unknown> & NestHostOptions
  readonly imports: NonNullable<DynamicModule['imports']>
  readonly moduleRef: ModuleRef
}

/** Creates the `ModelRest` of a module, and follows the life of the application. */
export class Mounting implements OnModuleInit, OnModuleDestroy, OnApplicationShutdown {
  readonly #given: MountingParts
  #platform: ((base: string) => Platform) | undefined
  #rest: AnyModelRest<unknown> | undefined
  #isRouted = false

  constructor(given: MountingParts) {
    this.#given = given
    const host = given.moduleRef.get(HttpAdapterHost, { strict: false })
    // Modules under test get their adapter later, and programs without HTTP never do.
    host.init$.subscribe(() => {
      if (host.httpAdapter) this.#platform = platformOf(host.httpAdapter)
    })
  }

  /** Created on first use, because applications set their global prefix after Nest has created the providers. */
  get rest(): AnyModelRest<unknown> {
    this.#rest ??= this.#create()
    return this.#rest
  }

  #create(): AnyModelRest<unknown> {
    const { options: given, imports, moduleRef } = this.#given
    const { base, decorators = [], ...options } = given
    const platform = this.#platform
    if (platform === undefined) throw new StartError('ModelRest needs an application that serves HTTP.')
    const parts: NestParts = {
      ...{ platform, decorators, imports },
      adapter: moduleRef.get(HttpAdapterHost, { strict: false }).httpAdapter,
      config: moduleRef.get(ApplicationConfig, { strict: false }),
      creator: moduleRef.get(ExternalContextCreator, { strict: false }),
      loader: moduleRef.get(LazyModuleLoader, { strict: false }),
      afterRoutes: (mount) => {
        if (this.#isRouted) return mount()
        throw new StartError('ModelRestModule calls init() itself when Nest starts. Remove the call.')
      },
    }
    return new AnyModelRest(defineHost(mountedHost('ModelRestModule', parts, base), {}), options)
  }

  /** Nest has declared the routes of controllers, but not its response to unknown paths. */
  async onModuleInit(): Promise<void> {
    if (this.#platform === undefined) return
    this.#isRouted = true
    await this.rest.init()
  }

  async onModuleDestroy(): Promise<void> {
    await this.#rest?.close()
  }

  /** Requests that were under way may have had work to do after their responses. */
  async onApplicationShutdown(): Promise<void> {
    await this.#rest?.close()
  }
}
