// Exported from there, so `declare module 'modelrest'` finds the module even if a program imports only this one.
export type { ModelSource } from '../index.ts'
export {
  type SequelizeModel,
  type SequelizeModelsGiven,
  type SequelizeModelsOptions,
  type SequelizeTypes,
  sequelizeModels,
} from '../source/sequelize/index.ts'
