import type { Controller } from './controller/controller.ts'
import { controllersOf } from './controller/controllers-of.ts'
import { findControllers } from './controller/find-controllers.ts'
import { hookNames, hookTable } from './controller/hook-table.ts'
import { StartError } from './error/start-error.ts'
import type { Model } from './model/model.ts'
import type { ModelRestOptions } from './options.ts'

/** The controllers of an application, and where they were found. */
export interface ApplicationControllers {
  readonly controllers: ReadonlyMap<string, Controller>
  readonly summary: string
}

/** Finds the controllers that the options mean. @throws StartError for every one that could not work */
export const controllersFor = async (
  { models: source, controllers: given, settings, isAsync = true }: ModelRestOptions<unknown>,
  served: readonly Model[],
): Promise<ApplicationControllers> => {
  const { synchronous, transactions } = source.capabilities
  const apps = [...new Set(source.models.map(({ app }) => app))]
  const found = await findControllers({ given, baseDir: settings?.BASE_DIR, apps })
  const models = { served, described: source.models }
  const controllers = controllersOf(found.controllers, models, { isAsync, oneTick: synchronous })
  if (!transactions) for (const controller of controllers.values()) assertNoTransaction(controller)
  return { controllers, summary: found.summary }
}

const assertNoTransaction = ({ place, hooks }: Controller): void => {
  const name = hookNames.find(
    (hook) => hooks[hook] !== undefined && (hook === 'scope' || hookTable[hook].inTransaction),
  )
  if (name === undefined) return
  throw new StartError(
    `${place}: ${name} needs transactions, and this database has none that are apart from other requests. Give drizzle a pool of connections in place of a single one, or another driver.`,
  )
}
