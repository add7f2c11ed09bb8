// Exported from there, so `declare module 'modelrest'` finds the module even if a program imports only this one.
export type { ModelSource } from '../index.ts'
export {
  type PrismaField,
  type PrismaMetadata,
  type PrismaModel,
  type PrismaModelsOptions,
  type PrismaRelation,
  type PrismaTypedModel,
  type PrismaTypes,
  type PrismaUnique,
  prismaModels,
} from '../source/prisma/index.ts'
