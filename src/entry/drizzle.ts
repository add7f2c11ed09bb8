export {
  type DrizzleModelsOptions,
  type DrizzleTypes,
  drizzleModels,
  type TableModel,
} from '../source/drizzle/index.ts'
export type { ModelSource } from '../source/source.ts'
