import type { deskModels } from './app.ts'

// This file is not imported. TypeScript finds it because tsconfig.json includes the folder.
declare module 'modelrest' {
  interface Register {
    models: ReturnType<typeof deskModels>
  }
}
