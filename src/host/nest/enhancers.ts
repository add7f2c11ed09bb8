import { finished } from 'node:stream'
import { type ClassProvider, type DynamicModule, Scope, type Type } from '@nestjs/common'
import type {
  AbstractHttpAdapter,
  ApplicationConfig,
  ExternalContextCreator,
  LazyModuleLoader,
} from '@nestjs/core'
import { StartError } from '../../error/errors.ts'
import type { Reply } from '../../operation/call.ts'
import type { Operation } from '../../operation/operation.ts'
import { operationOfAnyRequest, servingOf } from '../request-operation.ts'
import type { Serve, Served } from '../serve.ts'
import type { Exchange, Platform } from './platform.ts'

/** What runs the enhancers of an application, as Nest calls guards and interceptors. */
export interface EnhancerParts {
  readonly adapter: AbstractHttpAdapter
  readonly config: ApplicationConfig
  readonly creator: ExternalContextCreator
  readonly loader: LazyModuleLoader
  /** The modules that provide what the guards inject. */
  readonly imports: NonNullable<DynamicModule['imports']>
  readonly decorators: readonly ClassDecorator[]
}

type Proceed = () => Promise<void>

/** Runs the guards and interceptors of an operation around `proceed`. The result is what an interceptor responds instead. */
type Enhanced = (request: unknown, response: object, next: undefined, proceed: Proceed) => Promise<unknown>

/**
 * Runs guards and interceptors before operations. `undefined`: the application has none, so requests cost nothing more.
 *
 * @throws StartError if they cannot run
 */
export const enhancersFor = async (
  parts: EnhancerParts,
  platform: Platform,
  operations: readonly Operation[],
): Promise<((serve: Serve) => Serve) | undefined> => {
  const { config, decorators, adapter } = parts
  assertStatic(config)
  const all = [...config.getGlobalGuards(), ...config.getGlobalInterceptors(), ...decorators]
  if (all.length === 0) return undefined
  const enhancedOf = await enhancer(parts, operations)
  return (serve) => ({
    ...serve,
    start: (operation, call) => {
      const exchange = platform.exchangeOf(call.request)
      const enhanced = enhancedOf(servingOf(operation, call.params))
      const start = () => serve.start(operation, call)
      return passed(exchange, start, async (proceed) => {
        const value = await enhanced(call.request, exchange.response, undefined, proceed)
        if (!adapter.isHeadersSent(exchange.response) && !exchange.raw.destroyed)
          adapter.reply(exchange.response, value, operation.method === 'POST' ? 201 : 200)
      })
    },
  })
}

/** The operation if guards let it pass; otherwise nothing to send, after Nest has responded. */
const passed = (
  { raw, fail }: Exchange,
  start: () => Served | Promise<Served>,
  around: (proceed: Proceed) => Promise<void>,
): Promise<Served> =>
  new Promise((resolve) => {
    const end = new Promise<void>((ended) => finished(raw, { readable: false }, () => ended()))
    let hasStarted = false
    around(() => {
      // Interceptors may call it again. A client may have disconnected while a guard was waiting.
      if (!hasStarted && !raw.destroyed) resolve(start())
      hasStarted = true
      return end
    }).catch(fail)
    void end.then(() => resolve({ reply: unsent }))
  })

/** Hosts do not send it, because the response has been sent or the client has disconnected. */
const unsent: Reply = { status: 204, headers: {}, body: undefined }

const enhancer = async (
  { creator, loader, imports, decorators }: EnhancerParts,
  operations: readonly Operation[],
): Promise<(operation: Operation) => Enhanced> => {
  const classes = new Map<string, Type>()
  for (const { tag = UNTAGGED } of operations)
    if (!classes.has(tag)) classes.set(tag, decorated(tag, decorators))
  const providers = [...classes.values()].map((one): ClassProvider => ({ provide: one, useClass: one }))
  // Nest then creates the guards of the decorators as those of a controller.
  const module: DynamicModule = { module: class ModelRestOperations {}, imports, providers }
  const loaded = await loader.load(() => module, { logger: false })
  const known = new Map<string, Enhanced>()
  const enhancedOf = (operation: Operation): Enhanced => {
    const { id, tag = UNTAGGED } = operation
    const found = known.get(id)
    if (found !== undefined) return found
    const owner: object = loaded.get(classes.get(tag) ?? tag)
    const handler = (...[, , , proceed]: Parameters<Enhanced>) => proceed()
    Object.defineProperty(handler, 'name', { value: id })
    Reflect.defineMetadata(METADATA, operationOfAnyRequest(operation), handler)
    const made = creator.create(
      ...[owner, handler as () => unknown, id],
      ...[undefined, undefined, undefined, undefined],
      { guards: true, interceptors: true, filters: false },
    )
    known.set(id, made)
    return made
  }
  for (const one of classes.values())
    if (loaded.introspect(one).scope !== Scope.DEFAULT) throw new StartError(`decorators: ${scoped}`)
  for (const operation of operations) enhancedOf(operation)
  return enhancedOf
}

/** The metadata of each handler: the operation, and all models to which its requests may lead. */
const METADATA = 'modelrest'

/** The class of operations without a tag, such as the documentation. */
const UNTAGGED = 'ModelRest'

/** A class as a controller of the model would be, for `context.getClass()` and its metadata. */
const decorated = (name: string, decorators: readonly ClassDecorator[]): Type => {
  const made: Type = class {}
  Object.defineProperty(made, 'name', { value: name })
  for (const decorate of decorators) decorate(made)
  if (Reflect.hasMetadata('__exceptionFilters__', made))
    throw new StartError(
      'decorators: UseFilters() has no effect on the operations of modelrest. Use a global filter: app.useGlobalFilters(…).',
    )
  return made
}

const scoped =
  'a guard or interceptor is request-scoped or transient, or injects such a provider, which modelrest does not support. Give it the default scope, and use ModuleRef.resolve() in it.'

/** Nest creates these for each request, which it does only for its own controllers. @throws StartError */
const assertStatic = (config: ApplicationConfig): void => {
  const [wrapper] = [...config.getGlobalRequestGuards(), ...config.getGlobalRequestInterceptors()]
  if (wrapper === undefined) return
  throw new StartError(`${wrapper.metatype?.name ?? wrapper.name}: ${scoped}`)
}
