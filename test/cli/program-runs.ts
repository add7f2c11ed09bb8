import { beginProgram, type Told } from './client-runs.ts'

/** An API module that has a generator without an application, whose document has a title. `title` is an expression. */
export const apiTitled = (title: string): string => `export const api = {
  init: async () => undefined,
  openapi: () => ({ openapi: '3.1.0', info: { title: ${title} }, servers: [], paths: {} }),
  cleanFiles: async () => [],
}
`

/** Runs `modelrest …`, from its sources, in a folder. */
export const modelrest = (
  folder: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Told> => beginProgram(folder, words, env).told
