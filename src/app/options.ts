import { assertAuth, type OwnAuth } from '../auth/authenticate.ts'
import { type AuthenticationSettings, authSettings } from '../auth/service-auth.ts'
import type { ControllerClass } from '../controller/controller-for.ts'
import { type ControllerSettings, controllerSettings } from '../controller/discovery.ts'
import { StartError, suggest } from '../error/errors.ts'
import type { SettingRow } from '../error/setting.ts'
import { readSettings } from '../error/settings.ts'
import { type HealthOptions, readHealth } from '../health/checks.ts'
import { type HostSettings, hostSettings } from '../host/host.ts'
import type { ModelConfigs } from '../model/configure.ts'
import type { Exclude } from '../model/served.ts'
import type { HookRequest, Registered } from '../model/types.ts'
import type { Observer } from '../observe/observer.ts'
import { assertOpenApi, type OpenApiOptions } from '../openapi/options.ts'
import { type OperationSettings, operationSettings } from '../operation/operation.ts'
import { type PaginationType, type QuerySettings, querySettings } from '../query/settings.ts'
import type { CustomSchemas } from '../schema/custom/index.ts'
import type { ModelSource } from '../source/source.ts'
import { type MediaSettings, mediaSettings } from '../upload/media.ts'
import { type MultipartSettings, multipartSettings } from '../upload/multipart-limits.ts'
import type { FileOptions } from '../upload/multipart-models.ts'
import { assertStorage, type FileStorage } from '../upload/storage.ts'

/**
 * What `new ModelRest(app, options)` takes. Names of apps, models and fields are those of its `models`; written without
 * them, those of the registered ones.
 */
export interface ModelRestOptions<Types = Registered, Request = HookRequest> extends FileOptions<Types> {
  /** Where the models come from: `drizzleModels(db, { shop })`. */
  readonly models: ModelSource<Types>
  /** Use asynchronous operation. `false` needs a source with a synchronous driver. @default true */
  readonly isAsync?: boolean
  /** How lists are paged. @default the setting `NINJA_PAGINATION_CLASS`, then `limit-offset` */
  readonly paginationType?: PaginationType
  /** App label -> what of it is not served. @default nothing */
  readonly exclude?: Exclude<Types>
  /** Model name -> what the model cannot say of itself. */
  readonly modelConfig?: ModelConfigs<Types>
  /** Model name -> schemas that replace the generated ones for its bodies. */
  readonly customSchemas?: CustomSchemas<Types>
  /** Hooks of models. @default those that files of `controllers/` export. `[]` reads no file. */
  readonly controllers?: readonly ControllerClass[]
  /**
   * How users are known. `true`: they register and log in below `/auth`, and send the tokens that they get;
   * `{ authenticate(request) }` gives who sent a request. All that is served for models is protected then, but for what
   * `modelConfig.Product.public` or a controller's `permissions` open. @default false: all is public
   */
  readonly auth?: boolean | OwnAuth<Request>
  /** Where uploaded files are kept. @default the folder `media` in the setting `BASE_DIR` */
  readonly storage?: FileStorage
  /**
   * Serves `GET /health/live` and `GET /health/ready` for what starts this process and leads requests to it. `true`: with
   * the defaults. @default false
   */
  readonly health?: boolean | HealthOptions
  /** Is told of every operation and every statement: for traces, metrics and logs of one's own. @default nobody */
  readonly observer?: Observer
  /** The head of the OpenAPI document. */
  readonly openapi?: OpenApiOptions
  /** Made by `defineSettings`. */
  readonly settings?: Settings
}

/** Settings of the host application. */
export interface Settings
  extends QuerySettings,
    OperationSettings,
    ControllerSettings,
    MultipartSettings,
    MediaSettings,
    HostSettings,
    AuthenticationSettings {}

/** Every setting, as docs/settings.md lists them. */
export const settingsTable: { readonly [Name in keyof Required<Settings>]: SettingRow } = {
  ...querySettings,
  ...operationSettings,
  ...controllerSettings,
  ...multipartSettings,
  ...mediaSettings,
  ...hostSettings,
  ...authSettings,
}

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
  assertKnown('option', Object.keys(options), Object.keys(optionTable))
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

const assertKnown = (what: string, given: readonly string[], known: readonly string[]): void => {
  for (const name of given) {
    if (!known.includes(name)) throw new StartError(`There is no ${what} ${name}.${suggest(name, known)}`)
  }
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

/** Settings without a default. */
type Optional = 'SECRET_KEY' | 'BASE_DIR' | 'MEDIA_URL' | 'MIDDLEWARE' | keyof AuthenticationSettings

/** Settings with their defaults. */
export type ResolvedSettings = Required<Omit<Settings, Optional>> & Pick<Settings, Optional>

/** Every setting, with its default where it is not given. */
export const resolveSettings = (settings: Settings = {}): ResolvedSettings => {
  const defaults = Object.entries(settingsTable).map(([name, row]) => [name, row.default])
  return { ...Object.fromEntries(defaults), ...defineSettings(settings) }
}
