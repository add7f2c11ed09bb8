import { prismaModels } from 'modelrest/prisma'
import { prisma } from './db.ts'
import { metadata } from './generated/modelrest/metadata.ts'

export const models = prismaModels(prisma, metadata)

declare module 'modelrest' {
  interface Register {
    models: typeof models
  }
}
