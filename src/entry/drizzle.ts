// Exported from there, so `declare module 'modelrest'` finds the module even if a program imports only this one.
export type { ModelSource } from '../index.ts'
export {
  type ColumnKind,
  type ColumnKindName,
  type ColumnKinds,
  type DrizzleModelsOptions,
  type DrizzleTypes,
  drizzleModels,
  type ReplicaOptions,
  type TableModel,
} from '../source/drizzle/index.ts'
