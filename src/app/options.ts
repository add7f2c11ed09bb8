import { assertAuth, type OwnAuth } from '../auth/authenticate.ts'
import { type AuthSettingTypes, authSettings } from '../auth/settings/index.ts'
import type { ControllerClass } from '../controller/controller-for.ts'
import { controllerSettings } from '../controller/discovery.ts'
import { assertScopeOption, type ScopeOption } from '../controller/scope-option.ts'
import { assertKnown, StartError } from '../error/errors.ts'
import { type ResolvedSettingsOf, readSettings, resolveRows, type SettingsOf } from '../error/settings.ts'
import { type HealthOptions, readHealth } from '../health/checks.ts'
import { hostSettings } from '../host/host.ts'
import { type AuditOption, assertAudit, auditSettings } from '../model/audit.ts'
import type { PaginationType } from '../model/pagination.ts'
import type { ModelConfigs } from '../model/setup/configure.ts'
import type { Exclude } from '../model/setup/served.ts'
import type { HookRequest, Registered } from '../model/types.ts'
import type { Observer } from '../observe/observer.ts'
import { assertOpenApi, type OpenApiOptions } from '../openapi/options.ts'
import { operationSettings } from '../operation/operation.ts'
import { querySettings } from '../query/settings.ts'
import type { CustomSchemas } from '../schema/custom/index.ts'
import { type EnvelopeOptions, readEnvelope } from '../schema/envelope.ts'
import { assertSource, sourceExamples } from '../source/define.ts'
import type { ModelSource } from '../source/source.ts'
import { mediaSettings } from '../upload/media.ts'
import type { FileOptions } from '../upload/multipart-models.ts'
import { multipartSettings } from '../upload/multipart-settings.ts'
import { assertStorage, type FileStorage } from '../upload/storage.ts'

/**
 * The options of `new ModelRest(app, options)`. Names of apps, models and fields are those of its `models`, or of the
 * registered models (`Register`) if the type argument is left out.
 */
export interface ModelRestOptions<Types = Registered, Request = HookRequest> extends FileOptions<Types> {
  /** The source of the models, such as the result of `drizzleModels(db, { shop })`. */
  readonly models: ModelSource<Types>
  /** Whether operations run asynchronously. `false` needs a synchronous driver, such as better-sqlite3. @default true */
  readonly isAsync?: boolean
  /**
   * How lists are paged: `limit-offset`, `page-number` or `cursor`, or a list of them. The first is the default, and requests
   * choose the others. See docs/queries.md. @default the setting `paginationClass`
   */
  readonly paginationType?: PaginationType | readonly PaginationType[]
  /**
   * New names for the members of list responses: `{ items: 'data', count: 'total' }`. `false` leaves a member out; `page`, `page_size`
   * and `page_count` add one. See docs/list-responses.md. @default `items`, `count`, `count_exact` and, with cursor pages, `next`
   */
  readonly envelope?: EnvelopeOptions
  /** App label -> the models of the app that are not served. @default none */
  readonly exclude?: Exclude<Types>
  /**
   * Model name -> settings that a table does not have: fields that clients may not read or write, the path, the fields that
   * `search` covers. See docs/models.md.
   */
  readonly modelConfig?: ModelConfigs<Types>
  /** Model name -> schemas of Zod, Valibot or ArkType that replace the generated schemas of its bodies. See docs/schemas.md. */
  readonly customSchemas?: CustomSchemas<Types>
  /**
   * The controllers of models. List them if you bundle the application, because a bundle has no `controllers/` folder.
   * With `[]`, no files are read. See docs/controllers.md. @default the controllers that the files in `controllers/`
   * export
   */
  readonly controllers?: readonly ControllerClass[]
  /**
   * How callers are authenticated. `true`: users register and log in below `/auth` and send the tokens that they get.
   * `{ authenticate(request) }`: your own function returns the caller of a request. Both protect every endpoint of a model,
   * unless `modelConfig.Product.public` or the `permissions` of a controller open it. See docs/security.md.
   * @default false, everything is public
   */
  readonly auth?: boolean | OwnAuth<Request>
  /**
   * Returns which records of a model the caller can reach, for every model whose controller has no `scope`. See
   * docs/scope.md. @default callers reach all records
   */
  readonly scope?: ScopeOption<Types, Request>
  /**
   * Records who created, changed or deleted which record, with the values before and after, in the transaction of the write:
   * of all models, or of those that it names. Needs a model for the entries, such as `auditTable`. See docs/audit.md.
   * @default false
   */
  readonly audit?: AuditOption<Types>
  /** Stores uploaded files. See docs/files.md. @default the folder `media` in the setting `baseDir` */
  readonly storage?: FileStorage
  /**
   * Serves `GET /health/live` (liveness) and `GET /health/ready` (readiness). `true` uses the defaults. See
   * docs/health.md.
   * @default false
   */
  readonly health?: boolean | HealthOptions
  /**
   * Observes every operation and every statement, for traces, metrics and logs. `modelrest/opentelemetry` exports one. See
   * docs/observability.md. @default none
   */
  readonly observer?: Observer
  /** The title and other metadata of the OpenAPI document, the look of `/docs`, and whether they are public. See docs/openapi.md. */
  readonly openapi?: OpenApiOptions
  /** Limits, lifetimes and secrets, checked by `defineSettings`. See docs/settings.md. @default the defaults */
  readonly settings?: Settings
}

type SettingsTable = typeof querySettings &
  typeof operationSettings &
  typeof controllerSettings &
  typeof multipartSettings &
  typeof mediaSettings &
  typeof hostSettings &
  typeof authSettings &
  typeof auditSettings

/** Every setting, in the order of docs/settings.md. */
export const settingsTable: SettingsTable = {
  ...querySettings,
  ...operationSettings,
  ...controllerSettings,
  ...multipartSettings,
  ...mediaSettings,
  ...hostSettings,
  ...authSettings,
  ...auditSettings,
}

/** The settings of an application. See docs/settings.md. */
export interface Settings extends SettingsOf<SettingsTable, AuthSettingTypes> {}

/** Settings with their defaults. */
export type ResolvedSettings = ResolvedSettingsOf<SettingsTable, AuthSettingTypes>

type Assert = (value: unknown) => void

const checkedLater: Assert = () => undefined

/** Every option, with the check that runs before anything else. */
const optionTable: { readonly [Name in keyof Required<ModelRestOptions>]: Assert } = {
  models: assertSource,
  isAsync: (value) => {
    if (value !== undefined && typeof value !== 'boolean')
      throw new StartError('The option isAsync must be true or false.')
  },
  paginationType: checkedLater,
  envelope: (value) => void readEnvelope(value),
  exclude: checkedLater,
  modelConfig: checkedLater,
  customSchemas: checkedLater,
  controllers: checkedLater,
  auth: assertAuth,
  scope: assertScopeOption,
  audit: assertAudit,
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

/** The names of all options. */
export const optionNames: readonly string[] = Object.keys(optionTable)

/** @throws StartError for an unknown or missing option, or a value of the wrong type */
export const assertOptions = (options: ModelRestOptions<unknown>): void => {
  if (typeof options !== 'object' || options === null) {
    throw new StartError(
      `ModelRest needs options. Use new ModelRest(app, { models }), where models is ${sourceExamples}.`,
    )
  }
  for (const name of Object.keys(options)) assertKnown('Unknown option', name, optionNames)
  for (const [name, assert] of Object.entries(optionTable)) assert(Reflect.get(options, name))
  const { public: open = true } = options.openapi ?? {}
  if (open !== true && (options.auth ?? false) === false) {
    throw new StartError(
      `openapi.public: ${open} needs authentication. Set the option auth, or remove public.`,
    )
  }
}

const assertObserver = (observer: unknown): void => {
  const isObserver = ['operation', 'statement'].some((name) => typeof Object(observer)[name] === 'function')
  if (observer !== undefined && !isObserver)
    throw new StartError(
      'The option observer must be an object with the function operation, the function statement, or both.',
    )
}

/**
 * Checks settings and returns them frozen, under their names in upper case: `pageSize` and aliases become the name of their
 * setting. See docs/settings.md.
 *
 * @throws StartError for an unknown setting, a value of the wrong type, a setting in both spellings, or two names of one
 *   setting with different values
 * @example
 * ```ts
 * import { defineSettings } from 'modelrest'
 *
 * export const settings = defineSettings({ pageSize: 25, jsonBodyLimit: 100_000 })
 * ```
 */
export const defineSettings = (settings: Settings): Settings => readSettings(settingsTable, settings)

/** All settings, with defaults for those that are not set. */
export const resolveSettings = (settings: Settings = {}): ResolvedSettings =>
  resolveRows<SettingsTable, AuthSettingTypes>(settingsTable, settings)
