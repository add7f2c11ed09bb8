export { type AuthRoutes, type AuthRoutesOptions, registerAuthRoutes } from './app/auth-routes.ts'
export { ModelRest, type ProblemsOptions } from './app/model-rest.ts'
export { defineSettings, type ModelRestOptions, type Settings } from './app/options.ts'
export type { RequestContext } from './app/request-context.ts'
export type { OwnAuth } from './auth/authenticate.ts'
export type { IssuedTokens, IssueTokensOptions } from './auth/issue-tokens.ts'
export { hashPassword, verifyPassword } from './auth/passwords/passwords.ts'
export {
  defaultValidators,
  minimumLength,
  notAllDigits,
  notCommon,
  notSimilar,
} from './auth/passwords/validators.ts'
export type { PasswordValidator } from './auth/settings/index.ts'
export type { AuthClaims, AuthHook, AuthMailHook, ServiceAuth } from './auth/settings/service-auth.ts'
export { type Cache, CacheError, type Counted, type MemoryCacheOptions, memoryCache } from './cache/cache.ts'
export { type ActionOptions, type Actions, action } from './controller/action.ts'
export type { ComputedField, ComputedFields, ComputedSchemas } from './controller/computed.ts'
export type {
  AccessHook,
  AccessOf,
  Action,
  ActionDescription,
  ActionTarget,
  AfterCommit,
  AfterCreate,
  AfterDelete,
  AfterList,
  AfterRead,
  AfterUpdate,
  BeforeCreate,
  BeforeDelete,
  BeforeList,
  BeforeUpdate,
  ChangeContext,
  CommitContext,
  CommitEvent,
  HookContext,
  HookQuery,
  HookSchema,
  Hooks,
  Permission,
  PermissionAct,
  Permissions,
  Present,
  Scope,
  ScopeHook,
  ScopeOf,
} from './controller/controller.ts'
export {
  BaseModelController,
  type ControllerClass,
  type ControllerFor,
  controllerFor,
  type LinkClass,
} from './controller/controller-for.ts'
export type { ScopedModel, ScopeOption } from './controller/scope-option.ts'
export type { ErrorCode, IssueCode, ProblemCode } from './error/codes.ts'
export { HttpError, type HttpErrorOptions, type Issue, StartError, ValueError } from './error/errors.ts'
export type { OwnCode, OwnCodes } from './error/own-codes.ts'
export type { Problem } from './error/problem.ts'
export type { HealthOptions } from './health/checks.ts'
export type { RequestOperation } from './host/request-operation.ts'
export type { FileKey, UploadedFile } from './model/kinds/binary.ts'
export type { Field, FieldKind, Model, Relation } from './model/model.ts'
export type { OperationName } from './model/operations.ts'
export type { PaginationType } from './model/pagination.ts'
export type { ModelConfig } from './model/setup/configure.ts'
export type { FieldChoice } from './model/setup/field-access.ts'
export type { Exclude } from './model/setup/served.ts'
export type { FieldOf, InsertOf, ModelName, PayloadOf, RecordOf, Register, Renamed } from './model/types.ts'
export type {
  Observation,
  Observer,
  OperationBegun,
  OperationEnded,
  StatementBegun,
  StatementEnded,
} from './observe/observer.ts'
export type { OpenApiDocument } from './openapi/openapi-document.ts'
export type { OpenApiContact, OpenApiLicense, OpenApiOptions } from './openapi/options.ts'
export type { Caller } from './operation/call.ts'
export type { Operation } from './operation/operation.ts'
export type { Condition, Order } from './query/ast.ts'
export type { HookInclude } from './query/hook-include.ts'
export type { CleanFilesOptions, OrphanFile } from './resource/clean.ts'
export type { CustomSchema, CustomSchemas } from './schema/custom/index.ts'
export type { StandardSchema } from './schema/custom/standard-schema.ts'
export type { EnvelopeOptions } from './schema/envelope.ts'
export type { ModelSchemas } from './schema/zod.ts'
export type { ModelSource } from './source/source.ts'
export { type DiskStorageOptions, diskStorage } from './upload/disk.ts'
export { isGeneratedFileKey, isSafeFileKey, mediaTypeOf } from './upload/keys.ts'
export {
  type ByteSpan,
  type FileBytes,
  type FileStorage,
  type KeptFile,
  StorageError,
  type StorageErrorKind,
  type StoredFile,
  type UrlValidity,
} from './upload/storage.ts'
