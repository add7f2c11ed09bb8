import type { shopModels } from './app.ts'

// Nothing imports this file: TypeScript knows it because tsconfig.json includes the folder.
declare module 'modelrest' {
  interface Register {
    models: ReturnType<typeof shopModels>
  }
}
