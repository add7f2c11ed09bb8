import type { ControllerClass } from './base-model-controller.ts'
import { controllerFiles, type FileSearch } from './controller-files.ts'
import type { FoundController } from './controllers-of.ts'
import { givenControllers } from './given-controllers.ts'
import { loadControllers } from './load-controllers.ts'

/** Where to look for controllers. */
export interface ControllerSearch extends FileSearch {
  /** The option `controllers`. Where it is given, no folder is read. */
  readonly given?: readonly unknown[] | undefined
}

/** The controllers of an application. */
export interface FoundControllers {
  readonly controllers: readonly FoundController[]
  /** For the start line: `controllers: 3 from controllers/`. */
  readonly summary: string
}

/**
 * The controllers that are given, or else those that the files of `controllers/` under the base folder and under each app's
 * folder (`<label>`, `apps/<label>`) export. A class counts once, however often it is exported.
 *
 * @throws StartError for what is no controller, and for a file that cannot be imported or exports none
 */
export const findControllers = async (search: ControllerSearch): Promise<FoundControllers> => {
  if (search.given !== undefined) {
    const controllers = once(givenControllers(search.given))
    return { controllers, summary: `controllers: ${controllers.length} given` }
  }
  const found = controllerFiles(search)
  const controllers: FoundController[] = []
  // One after the other, so that the first mistake is the same one at every start.
  for (const file of found.flatMap(({ files }) => files)) controllers.push(...(await loadControllers(file)))
  const folders = found.filter(({ files }) => files.length > 0).map(({ folder }) => `${folder}/`)
  const distinct = once(controllers)
  return {
    controllers: distinct,
    summary:
      folders.length === 0
        ? 'controllers: none'
        : `controllers: ${distinct.length} from ${folders.join(', ')}`,
  }
}

const once = (found: readonly FoundController[]): readonly FoundController[] => {
  const classes = new Map<ControllerClass, FoundController>()
  for (const entry of found) if (!classes.has(entry.controller)) classes.set(entry.controller, entry)
  return [...classes.values()]
}
