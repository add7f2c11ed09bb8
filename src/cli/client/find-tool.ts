import type { Recipe } from './languages.ts'
import { openApiGenerator } from './openapi-generator.ts'
import { openApiTypescript } from './openapi-typescript.ts'
import type { Tool, ToolSearch } from './tool.ts'

/** Finds what a language is generated with. @throws Failure where something is missing on this machine */
export const findTool = (recipe: Recipe, search: ToolSearch): Promise<Tool> =>
  recipe.tool === 'openapi-typescript' ? openApiTypescript(search) : openApiGenerator(recipe, search)
