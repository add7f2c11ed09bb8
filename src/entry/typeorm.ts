// Exported from there, so `declare module 'modelrest'` finds the module even if a program imports only this one.
export type { ModelSource } from '../index.ts'
export {
  type Entities,
  type EntityModel,
  type TypeormModelsOptions,
  type TypeormTypes,
  typeormModels,
} from '../source/typeorm/index.ts'
