export type { OwnAuth } from './auth/own.ts'
export { defaultValidators } from './auth/password/default-validators.ts'
export { hashPassword } from './auth/password/hash-password.ts'
export { minimumLength } from './auth/password/minimum-length.ts'
export { notAllDigits } from './auth/password/not-all-digits.ts'
export { notCommon } from './auth/password/not-frequent.ts'
export { notSimilar } from './auth/password/not-similar.ts'
export type { PasswordValidator } from './auth/password/validator.ts'
export type { AuthHook, ServiceAuth } from './auth/settings.ts'
export { type AuthRoutes, type AuthRoutesOptions, registerAuthRoutes } from './auth-routes.ts'
export type { Cache, Counted } from './cache/cache.ts'
export { CacheError } from './cache/cache-error.ts'
export { type MemoryCacheOptions, memoryCache } from './cache/memory.ts'
export { BaseModelController, type ControllerClass } from './controller/base-model-controller.ts'
export { type ControllerFor, controllerFor, type LinkClass } from './controller/controller-for.ts'
export type {
  AfterCommit,
  AfterCreate,
  AfterDelete,
  AfterList,
  AfterUpdate,
  BeforeCreate,
  BeforeDelete,
  BeforeList,
  BeforeUpdate,
  ScopeHook,
} from './controller/hook-types.ts'
export type {
  CommitEvent,
  HookContext,
  HookQuery,
  HookSchema,
  Hooks,
  Scope,
  ScopeOf,
} from './controller/hooks.ts'
export type { Permission, PermissionAct, Permissions } from './controller/permissions.ts'
export type { IssueCode, ProblemCode } from './error/codes.ts'
export { HttpError, type HttpErrorOptions, type Issue } from './error/http-error.ts'
export type { Problem } from './error/problem.ts'
export { StartError } from './error/start-error.ts'
export { ValueError } from './error/value-error.ts'
export type { HealthOptions } from './health/options.ts'
export type { ModelConfig } from './model/configure.ts'
export type { Exclude } from './model/exclude.ts'
export type { FieldChoice } from './model/field-access.ts'
export type { FieldKind } from './model/field-kinds.ts'
export type { Field, Model, Relation } from './model/model.ts'
export type { FieldOf, InsertOf, ModelName, RecordOf, Register } from './model/register.ts'
export type { UploadedFile } from './model/uploaded-file.ts'
export { ModelRest } from './model-rest.ts'
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
export type { Caller } from './operation/caller.ts'
export type { Operation } from './operation/operation.ts'
export { defineSettings, type ModelRestOptions, type Settings } from './options.ts'
export type { Condition, Order } from './query/ast.ts'
export type { PaginationType } from './query/pagination.ts'
export type { CleanFilesOptions } from './resource/clean/clean-options.ts'
export type { OrphanFile } from './resource/clean/index.ts'
export type { CustomSchema, CustomSchemas } from './schema/custom/custom-schemas.ts'
export type { StandardSchema } from './schema/custom/standard-schema.ts'
export type { ModelSchemas } from './schema/model-schemas.ts'
export type { ModelSource } from './source/source.ts'
export { type DiskStorageOptions, diskStorage } from './upload/storage/disk/index.ts'
export type {
  ByteSpan,
  FileBytes,
  FileStorage,
  KeptFile,
  StoredFile,
  UrlValidity,
} from './upload/storage/storage.ts'
export { StorageError, type StorageErrorKind } from './upload/storage/storage-error.ts'
