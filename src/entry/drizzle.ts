// From there, so that `declare module 'modelrest'` finds the module in a program that imports this one alone.
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
