export { drizzleModels } from '../source/drizzle/index.ts'
