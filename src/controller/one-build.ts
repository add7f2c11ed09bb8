import { StartError } from '../error/start-error.ts'
import type { ModuleFile } from './module-files.ts'

const typescript = /\.m?ts$/
const javascript = /\.[cm]?js$/

/**
 * Sources and their compiled output are two applications: each loads the models, and opens the database, by itself. A
 * controller of the other one would work on a database that nobody else sees.
 *
 * @param entry The file that was started, where it is known
 * @throws StartError where the controllers are of the sources and what runs is compiled, or both are in one folder
 */
export const assertOneBuild = (modules: readonly ModuleFile[], entry: string | undefined): void => {
  const places = new Set(modules.map(({ place }) => place))
  for (const { place } of modules) {
    if (!typescript.test(place)) continue
    const compiled = place.replace(/ts$/, 'js')
    if (places.has(compiled)) {
      throw new StartError(
        `${place} and ${compiled} are both there, and one of them is old. Compile into a folder of its own (outDir), or give the controllers: controllers: [ProductController].`,
      )
    }
    if (entry !== undefined && javascript.test(entry)) {
      throw new StartError(
        `${place} is TypeScript, but ${entry} runs as JavaScript: it would get a second copy of your models and database. Read the compiled controllers, settings: defineSettings({ BASE_DIR: import.meta.dirname }), or give them: controllers: [ProductController].`,
      )
    }
  }
}
