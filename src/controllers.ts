import type { Controller } from './controller/controller.ts'
import { controllersOf } from './controller/controllers-of.ts'
import { findControllers } from './controller/find-controllers.ts'
import { hookNames, hookTable } from './controller/hook-table.ts'
import { permissionActs } from './controller/permissions.ts'
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
  { models: source, controllers: given, settings, isAsync = true, auth = false }: ModelRestOptions<unknown>,
  served: readonly Model[],
  calling: string | undefined,
): Promise<ApplicationControllers> => {
  const { synchronous, transactions } = source.capabilities
  const apps = [...new Set(source.models.map(({ app }) => app))]
  const found = await findControllers({ given, baseDir: settings?.BASE_DIR, apps, calling })
  const models = { served, described: source.models }
  const controllers = controllersOf(found.controllers, models, { isAsync, oneTick: synchronous })
  if (auth === false) for (const controller of controllers.values()) assertNobodyNeeded(controller)
  if (!transactions) for (const controller of controllers.values()) assertNoTransaction(controller)
  return { controllers, summary: found.summary }
}

/** Nobody could ever do it. */
const assertNobodyNeeded = ({ place, permissions }: Controller): void => {
  const act = permissionActs.find((known) => permissions[known] === 'authenticated')
  if (act === undefined) return
  throw new StartError(
    `${place}: permissions.${act} is 'authenticated', but there is no authentication. Give one: auth: { authenticate: (request) => … }.`,
  )
}

const assertNoTransaction = ({ place, hooks, permissions }: Controller): void => {
  const hook = hookNames.find(
    (known) => hooks[known] !== undefined && (known === 'scope' || hookTable[known].inTransaction),
  )
  const act = (['update', 'delete'] as const).find((known) => typeof permissions[known] === 'function')
  const name = hook ?? (act && `permissions.${act}`)
  if (name === undefined) return
  throw new StartError(
    `${place}: ${name} needs transactions, and this database has none that are apart from other requests. Give drizzle a pool of connections in place of a single one, or another driver.`,
  )
}
