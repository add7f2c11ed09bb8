import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { StartError } from '../error/start-error.ts'
import { type ControllerClass, isControllerClass } from './base-model-controller.ts'
import type { FoundController } from './controllers-of.ts'
import { linkedModel } from './link.ts'
import { elsewhere, type ModuleFile } from './module-files.ts'

/**
 * The controllers that a file exports.
 *
 * @throws StartError where it cannot be imported, exports none, or exports a controller class without a model
 */
export const loadControllers = async (file: ModuleFile): Promise<readonly FoundController[]> => {
  const exported = Object.entries(await importModule(file)).filter(isController)
  for (const [name, controller] of exported) {
    if (linkedModel(controller) === undefined) throw new StartError(unlinked(file, name, controller))
  }
  if (exported.length > 0) {
    return exported.map(([name, controller]) => ({
      controller,
      place: `${file.place}, ${name === 'default' ? controller.name || name : name}`,
    }))
  }
  throw new StartError(
    `${file.place} exports no controller. Write export const ProductController = controllerFor('Product', { … }), or move the file to another folder. ${elsewhere}`,
  )
}

const isController = (entry: [string, unknown]): entry is [string, ControllerClass] =>
  isControllerClass(entry[1])

const unlinked = (file: ModuleFile, exportName: string, controller: ControllerClass): string => {
  const name = exportName === 'default' ? controller.name || exportName : exportName
  return `${file.place}: ${name} is linked to no model, so its hooks would never run. Link it: controllerFor('Product', ${name}). A base class of several controllers belongs outside of controllers/.`
}

const importModule = async (file: ModuleFile): Promise<object> => {
  try {
    const module: unknown = await import(/* @vite-ignore */ pathToFileURL(file.path).href)
    return Object(module)
  } catch (cause) {
    throw new StartError(reasonOf(cause, file), { cause })
  }
}

const decorator = /^\s*(export\s+(default\s+)?)?@[\p{ID_Start}$_(]/mu

const reasonOf = (cause: unknown, file: ModuleFile): string => {
  if (cause instanceof SyntaxError && decorator.test(readFileSync(file.path, 'utf8'))) {
    return `${file.place} cannot be read: Node does not know decorators. Write export const ProductController = controllerFor('Product', class extends BaseModelController { … }), or compile with tsc first.`
  }
  const message = cause instanceof Error ? cause.message : String(cause)
  return cause instanceof StartError
    ? `${file.place}: ${message}`
    : `${file.place} cannot be loaded: ${message}`
}
