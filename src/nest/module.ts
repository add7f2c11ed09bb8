import type { DynamicModule, InjectionToken, OptionalFactoryDependency, Provider } from '@nestjs/common'
import { ModuleRef, ModulesContainer } from '@nestjs/core'
import { ModelRest as AnyModelRest } from '../app/model-rest.ts'
import type { ModelRestOptions } from '../app/options.ts'
import { StartError } from '../error/errors.ts'
import type { NestHostOptions } from '../host/nest/index.ts'
import { reasonOf } from '../observe/log.ts'
import { injected } from './controllers.ts'
import { ModelRest } from './model-rest.ts'
import { Mounting } from './mounting.ts'

/**
 * The options of `ModelRestModule`: those of `ModelRest`, and where and how to serve. `controllers` may be classes whose instances
 * inject providers. By default, there are none: no files are read.
 */
export interface ModelRestModuleOptions<Types = unknown> extends ModelRestOptions<Types>, NestHostOptions {}

/** The modules that a `ModelRestModule` uses. */
export interface WithImports {
  /** The modules that export what `useFactory`, controllers and the guards of `decorators` inject. @default none */
  readonly imports?: NonNullable<DynamicModule['imports']>
}

/** The options of `ModelRestModule.forRootAsync()`. */
export interface ModelRestModuleAsyncOptions<Types = unknown> extends WithImports {
  /** The providers that `useFactory` receives. @default none */
  readonly inject?: readonly (InjectionToken | OptionalFactoryDependency)[]
  /** Returns the options, or a promise of them. */
  readonly useFactory: (
    ...injected: never[]
  ) => ModelRestModuleOptions<Types> | Promise<ModelRestModuleOptions<Types>>
}

const OPTIONS: unique symbol = Symbol('modelrest.options')
const HOLDER: unique symbol = Symbol('modelrest.holder')

/** Lets controllers inject the `ModelRest` that they are part of. */
interface Holder {
  mounting?: Mounting
}

/**
 * Serves models in an application of Nest 12 or 11. Import it once, in the root module. Every module can then inject `ModelRest`.
 *
 * @example
 * ```ts
 * import { Module } from '@nestjs/common'
 * import { NestFactory } from '@nestjs/core'
 * import { ModelRestModule } from 'modelrest/nest'
 * import type { ModelSource } from 'modelrest'
 *
 * export const start = async (models: ModelSource): Promise<void> => {
 *   class AppModule {}
 *   Module({ imports: [ModelRestModule.forRoot({ models })] })(AppModule)
 *   const app = await NestFactory.create(AppModule)
 *   await app.setGlobalPrefix('api').listen(3000)
 * }
 * ```
 */
export class ModelRestModule {
  /** @throws StartError always: without options, it would serve nothing */
  constructor() {
    throw new StartError('Import ModelRestModule.forRoot({ models }) instead of ModelRestModule.')
  }

  /**
   * Serves models with these options.
   *
   * @throws StartError without `models`
   */
  static forRoot<Types>({
    imports = [],
    ...options
  }: ModelRestModuleOptions<Types> & WithImports): DynamicModule {
    assertOptions('ModelRestModule.forRoot()', options)
    return moduleOf(imports, { provide: OPTIONS, useValue: options })
  }

  /**
   * Serves models with the options that a function returns, which receives providers of the application.
   *
   * @throws StartError without `useFactory`; Nest also fails to start if it throws or returns no options
   */
  static forRootAsync<Types>(given: ModelRestModuleAsyncOptions<Types>): DynamicModule {
    const { imports = [], inject = [], useFactory } = Object(given) as Partial<typeof given>
    if (typeof useFactory !== 'function')
      throw new StartError(
        'ModelRestModule.forRootAsync() needs useFactory, a function that returns the options: { models }.',
      )
    const create = useFactory as (...injected: unknown[]) => unknown
    return moduleOf(imports, {
      provide: OPTIONS,
      inject: [...inject],
      useFactory: async (...providers: unknown[]) => {
        const options = await created(() => create(...providers))
        assertOptions('The result of useFactory of ModelRestModule.forRootAsync()', options)
        return options
      },
    })
  }
}

/** The class by which Nest knows the module. Its name appears in messages of Nest. */
const ServedModule: new () => object = class ModelRestModule {}

const created = async (create: () => unknown): Promise<unknown> => {
  try {
    return await create()
  } catch (cause) {
    throw new StartError(`useFactory of ModelRestModule.forRootAsync() failed: ${reasonOf(cause)}`, { cause })
  }
}

function assertOptions(place: string, options: unknown): asserts options is ModelRestModuleOptions {
  const { models, decorators = [] }: { models?: unknown; decorators?: unknown } = Object(options)
  if (models === undefined)
    throw new StartError(`${place} needs models: { models: drizzleModels(db, tables) }.`)
  if (!Array.isArray(decorators) || decorators.some((one) => typeof one !== 'function'))
    throw new StartError(`${place}: decorators must be class decorators, such as [UseGuards(AuthGuard)].`)
}

const moduleOf = (imports: NonNullable<DynamicModule['imports']>, options: Provider): DynamicModule => ({
  ...{ module: ServedModule, global: true, imports },
  providers: [
    options,
    { provide: HOLDER, useFactory: (): Holder => ({}) },
    { provide: ModelRest, inject: [HOLDER], useFactory: standIn },
    { provide: AnyModelRest, useExisting: ModelRest },
    {
      provide: Mounting,
      inject: [OPTIONS, HOLDER, ModuleRef, ModulesContainer],
      useFactory: async (
        given: ModelRestModuleOptions,
        holder: Holder,
        moduleRef: ModuleRef,
        modules: ModulesContainer,
      ) => {
        assertOne(modules)
        const controllers = await injected(given.controllers ?? [], moduleRef)
        holder.mounting = new Mounting({ options: { ...given, controllers }, imports, moduleRef })
        return holder.mounting
      },
    },
  ],
  exports: [ModelRest, AnyModelRest],
})

const assertOne = (modules: ModulesContainer): void => {
  if ([...modules.values()].filter(({ metatype }) => metatype === ServedModule).length > 1)
    throw new StartError(
      'The application imports ModelRestModule twice. Import it once, and serve other APIs with new ModelRest(nestHost(app, { base }), …).',
    )
}

const own = new Set(
  Object.getOwnPropertyNames(AnyModelRest.prototype).filter((name) => name !== 'constructor'),
)

/** The `ModelRest` that Nest injects. The real one is created later, when the application has its global prefix. */
const standIn = (holder: Holder): AnyModelRest<unknown> =>
  new Proxy<AnyModelRest<unknown>>(Object.create(ModelRest.prototype), {
    get: (target, name) => {
      if (typeof name === 'symbol' || !own.has(name)) return Reflect.get(target, name)
      if (holder.mounting === undefined)
        throw new StartError(
          `ModelRest is not available yet: use rest.${name} when Nest has created the application.`,
        )
      const { rest } = holder.mounting
      const value: unknown = Reflect.get(rest, name, rest)
      return typeof value === 'function' ? value.bind(rest) : value
    },
  })
