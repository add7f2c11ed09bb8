import { type INestApplication, Logger } from '@nestjs/common'
import { ApplicationConfig, ExternalContextCreator, HttpAdapterHost, LazyModuleLoader } from '@nestjs/core'
import { StartError } from '../../error/errors.ts'
import { type Log, textLog } from '../../observe/log.ts'
import { defineHost, type Host, readBase, readPrefix } from '../host.ts'
import { type EnhancerParts, enhancersFor } from './enhancers.ts'
import { type Platform, platformOf } from './platform.ts'
import { problemFilter } from './problems.ts'

/** An application of Nest, on Express or on Fastify. */
export type NestApp = INestApplication

/** What {@link nestHost} returns. */
export interface NestHost {
  readonly app: NestApp
}

/** Where and how operations are served in an application of Nest. */
export interface NestHostOptions {
  /**
   * The path of the API below the global prefix, such as `/v1`.
   *
   * @default ''
   */
  readonly base?: string
  /**
   * Class decorators for the operations, as for a controller: `UseGuards()`, `UseInterceptors()`, and those that set metadata.
   *
   * @default none
   */
  readonly decorators?: readonly ClassDecorator[]
}

/** The application and the moment at which its operations are mounted. */
export interface NestParts extends EnhancerParts {
  readonly platform: (base: string) => Platform
  /** Calls `mount` after Nest has declared the routes of controllers. */
  readonly afterRoutes: (mount: () => Promise<void>) => Promise<void>
}

export const isNestApp = (app: unknown): app is NestApp =>
  typeof app === 'object' &&
  app !== null &&
  ['getHttpAdapter', 'setGlobalPrefix', 'useGlobalFilters', 'get'].every(
    (name) => typeof Reflect.get(app, name) === 'function',
  )

const nestLog = (): Log => {
  const logger = new Logger('ModelRest')
  return textLog({
    info: (text) => logger.log(text),
    warn: (text) => logger.warn(text),
    error: (text) => logger.error(text),
  })
}

/** @throws StartError if the base or a decorator cannot work */
export const mountedHost = (place: string, parts: NestParts, base = ''): Host => {
  const full = fullBase(place, parts.config, base)
  const platform = parts.platform(full)
  const log = nestLog()
  const { mount, exchangeOf, send, ...members } = platform
  return {
    ...{ ...members, base: full, log },
    mount: (operations, serve) =>
      parts.afterRoutes(async () => {
        if (fullBase(place, parts.config, base) !== full)
          throw new StartError(
            `${place}: the global prefix was set after ModelRest was used. Call app.setGlobalPrefix() first.`,
          )
        for (const { method, path } of operations)
          if (platform.serves?.(method, full + path) === true)
            throw new StartError(
              `The application already serves ${method} ${full}${path}. Leave the operation out with modelConfig, or use ModelRestModule, in which routes of controllers replace operations.`,
            )
        const enhance = await enhancersFor(parts, platform, operations)
        const logged = { ...serve, log }
        await mount(operations, enhance?.(logged) ?? logged, enhance !== undefined)
      }),
    problems: (app, given) => {
      if (!isNestApp(app)) throw new StartError('problems(app): app must be a Nest application.')
      app.useGlobalFilters(problemFilter(parts.adapter, platform, { ...given, log }))
    },
  }
}

const fullBase = (place: string, config: ApplicationConfig, given: string): string => {
  const prefix = readPrefix(config.getGlobalPrefix())
  const base = readBase(place, given)
  if (/[:*{}()]/.test(prefix))
    throw new StartError(
      `${place}: the global prefix ${prefix} has parameters, which modelrest does not support.`,
    )
  if (prefix !== '' && `${base}/`.startsWith(`${prefix}/`))
    throw new StartError(
      `${place}: base is the path below the global prefix ${prefix}, so it must not start with it. Write base: ${JSON.stringify(base.slice(prefix.length))}.`,
    )
  return readBase(place, prefix + base)
}

/**
 * A host for an application of Nest, with options. Pass it to `ModelRest`, before the application listens. If you use
 * `ModelRestModule`, you do not need it.
 *
 * @throws StartError if `app` is not of Nest or has started, or if `base` is not a path below its global prefix
 * @example
 * ```ts
 * import { NestFactory } from '@nestjs/core'
 * import { ModelRest, nestHost } from 'modelrest/nest'
 * import type { ModelSource } from 'modelrest'
 *
 * export const start = async (module: object, models: ModelSource): Promise<void> => {
 *   const app = await NestFactory.create(module)
 *   await new ModelRest(nestHost(app, { base: '/api' }), { models }).init()
 *   await app.listen(3000)
 * }
 * ```
 */
export const nestHost = (app: NestApp, { base, decorators = [] }: NestHostOptions = {}): NestHost => {
  if (!isNestApp(app)) throw new StartError('nestHost: app must be a Nest application.')
  const { httpAdapter, listening } = app.get(HttpAdapterHost)
  if (listening || Reflect.get(app, 'isInitialized') === true)
    throw new StartError(
      'Nest has already started. Create ModelRest and await init() before app.init() and app.listen().',
    )
  const loader = app.get(LazyModuleLoader)
  const parts: NestParts = {
    ...{ adapter: httpAdapter, loader, decorators, imports: [] },
    config: app.get(ApplicationConfig),
    creator: app.get(ExternalContextCreator),
    platform: platformOf(httpAdapter),
    afterRoutes: async (mount) => {
      // Nest calls the hooks of modules that are loaded before it starts.
      const module = class ModelRestMount {
        readonly onModuleInit = mount
      }
      await loader.load(() => module, { logger: false })
    },
  }
  return defineHost(mountedHost('nestHost', parts, base), { app })
}
