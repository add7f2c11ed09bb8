import { assertAuth, type OwnAuth } from '../auth/authenticate.ts'
import { type AuthSettingTypes, authSettings } from '../auth/settings.ts'
import type { ControllerClass } from '../controller/controller-for.ts'
import { controllerSettings } from '../controller/discovery.ts'
import { assertKnown, StartError } from '../error/errors.ts'
import { type ResolvedSettingsOf, readSettings, resolveRows, type SettingsOf } from '../error/settings.ts'
import { type HealthOptions, readHealth } from '../health/checks.ts'
import { hostSettings } from '../host/host.ts'
import type { ModelConfigs } from '../model/configure.ts'
import type { Exclude } from '../model/served.ts'
import type { HookRequest, Registered } from '../model/types.ts'
import type { Observer } from '../observe/observer.ts'
import { assertOpenApi, type OpenApiOptions } from '../openapi/options.ts'
import { operationSettings } from '../operation/operation.ts'
import { type PaginationType, querySettings } from '../query/settings.ts'
import type { CustomSchemas } from '../schema/custom/index.ts'
import type { ModelSource } from '../source/source.ts'
import { mediaSettings } from '../upload/media.ts'
import type { FileOptions } from '../upload/multipart-models.ts'
import { multipartSettings } from '../upload/multipart-settings.ts'
import { assertStorage, type FileStorage } from '../upload/storage.ts'

/**
 * What `new ModelRest(app, options)` takes. Names of apps, models and fields are those of its `models`; written without
 * them, those of the registered ones.
 */
export interface ModelRestOptions<Types = Registered, Request = HookRequest> extends FileOptions<Types> {
  /** Where the models come from: `drizzleModels(db, { shop })`. */
  readonly models: ModelSource<Types>
  /** Whether operations run asynchronously. `false` needs a synchronous driver, as better-sqlite3. @default true */
  readonly isAsync?: boolean
  /** How lists are paged: `limit-offset`, `page-number` or `cursor`. @default the setting `NINJA_PAGINATION_CLASS` */
  readonly paginationType?: PaginationType
  /** App label -> what of it is not served. @default nothing */
  readonly exclude?: Exclude<Types>
  /**
   * Model name -> what its table cannot say: who reads and writes a field, the path, what `search` looks in. See
   * docs/models.md.
   */
  readonly modelConfig?: ModelConfigs<Types>
  /** Model name -> schemas of Zod, Valibot or ArkType that replace the generated ones for its bodies. See docs/schemas.md. */
  readonly customSchemas?: CustomSchemas<Types>
  /**
   * Hooks of models. `[]`: no file is read. A bundle has no files: name the controllers. See docs/controllers.md.
   * @default those that the files in `controllers/` export
   */
  readonly controllers?: readonly ControllerClass[]
  /**
   * How users are known. `true`: they register and log in below `/auth`, and send the tokens that they get.
   * `{ authenticate(request) }`: your own function says who sent a request. Everything that is served for models then needs
   * a caller, unless `modelConfig.Product.public` or the `permissions` of a controller open it. See docs/security.md.
   * @default false, everything is public
   */
  readonly auth?: boolean | OwnAuth<Request>
  /** Stores uploaded files. See docs/files.md. @default the folder `media` in the setting `BASE_DIR` */
  readonly storage?: FileStorage
  /**
   * Serves `GET /health/live`, whether the process lives, and `GET /health/ready`, whether requests should come to it.
   * `true`: with the defaults. See docs/health.md. @default false
   */
  readonly health?: boolean | HealthOptions
  /**
   * Is told of every operation and every statement, for traces, metrics and logs. `modelrest/opentelemetry` has one. See
   * docs/observability.md. @default none
   */
  readonly observer?: Observer
  /** The head of the OpenAPI document, the look of `/docs`, and who may read them. See docs/openapi.md. */
  readonly openapi?: OpenApiOptions
  /** Made by `defineSettings`. */
  readonly settings?: Settings
}

type SettingsTable = typeof querySettings &
  typeof operationSettings &
  typeof controllerSettings &
  typeof multipartSettings &
  typeof mediaSettings &
  typeof hostSettings &
  typeof authSettings

/** Every setting, in the order of docs/settings.md. */
export const settingsTable: SettingsTable = {
  ...querySettings,
  ...operationSettings,
  ...controllerSettings,
  ...multipartSettings,
  ...mediaSettings,
  ...hostSettings,
  ...authSettings,
}

/** Settings of the host application. */
export interface Settings extends SettingsOf<SettingsTable, AuthSettingTypes> {}

/** Settings with their defaults. */
export type ResolvedSettings = ResolvedSettingsOf<SettingsTable, AuthSettingTypes>

type Assert = (value: unknown) => void

const checkedLater: Assert = () => undefined

/** Every option, and what is checked of its value before anything is done. */
const optionTable: { readonly [Name in keyof Required<ModelRestOptions>]: Assert } = {
  models: (value) => assertModelSource(value),
  isAsync: (value) => {
    if (value !== undefined && typeof value !== 'boolean')
      throw new StartError('The option isAsync must be true or false.')
  },
  paginationType: checkedLater,
  exclude: checkedLater,
  modelConfig: checkedLater,
  customSchemas: checkedLater,
  controllers: checkedLater,
  auth: assertAuth,
  storage: assertStorage,
  health: (value) => void readHealth(value),
  observer: (value) => assertObserver(value),
  openapi: assertOpenApi,
  fileFields: checkedLater,
  useMultipart: checkedLater,
  autoDetectFiles: checkedLater,
  autoMultipart: checkedLater,
  settings: checkedLater,
}

/** @throws StartError for an unknown or missing option, or one of the wrong type. */
export const assertOptions = (options: ModelRestOptions<unknown>): void => {
  if (typeof options !== 'object' || options === null) {
    throw new StartError(
      'ModelRest needs options. Write new ModelRest(app, { models: drizzleModels(db, { shop }) }).',
    )
  }
  for (const name of Object.keys(options)) assertKnown('There is no option', name, Object.keys(optionTable))
  for (const [name, assert] of Object.entries(optionTable)) assert(Reflect.get(options, name))
  if (options.openapi?.public === false && (options.auth ?? false) === false) {
    throw new StartError('openapi.public: false needs authentication. Set the option auth, or remove it.')
  }
}

const assertObserver = (observer: unknown): void => {
  const tells = ['operation', 'statement'].some((name) => typeof Object(observer)[name] === 'function')
  if (observer !== undefined && !tells)
    throw new StartError(
      'The option observer must be an object with the functions operation or statement, or both.',
    )
}

/** @throws StartError for what models cannot come from */
export const assertModelSource = (models: unknown): void => {
  const members = ['models', 'store', 'capabilities']
  if (typeof models === 'object' && models !== null && members.every((name) => name in models)) return
  throw new StartError('The option models is no model source. Write models: drizzleModels(db, { shop }).')
}

/**
 * Settings, checked and frozen, aliases under their first name. It does nothing else.
 *
 * @throws StartError for an unknown setting, one of the wrong type, and two names of one setting with different values.
 * @example
 * ```ts
 * import { defineSettings } from 'modelrest'
 *
 * export const settings = defineSettings({ NINJA_PAGINATION_PER_PAGE: 25 })
 * ```
 */
export const defineSettings = (settings: Settings): Settings => readSettings(settingsTable, settings)

/** Every setting, with its default where it is not given. */
export const resolveSettings = (settings: Settings = {}): ResolvedSettings =>
  resolveRows<SettingsTable, AuthSettingTypes>(settingsTable, settings)
