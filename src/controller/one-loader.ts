import { StartError } from '../error/start-error.ts'
import type { ModuleFile } from './module-files.ts'

/**
 * Vitest loads the modules of an application by itself, but leaves packages to Node. What a package imports is then loaded
 * by Node: controllers would get a second copy of the models and the database.
 *
 * @throws StartError where that is so
 */
export const assertOneLoader = (
  [file]: readonly ModuleFile[],
  byVitest: boolean = '__vitest_worker__' in globalThis,
  leftToNode: boolean = !('env' in import.meta),
): void => {
  if (file === undefined || !byVitest || !leftToNode) return
  throw new StartError(
    `${file.place}: Vitest leaves packages to Node, so the controllers would get a second copy of your models and database. Write test: { server: { deps: { inline: ['modelrest'] } } } in vitest.config.ts, or give the controllers: controllers: [ProductController].`,
  )
}
