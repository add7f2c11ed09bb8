import { StartError } from '../error/errors.ts'
import type { Host } from '../host/host.ts'
import { isNeeded, type Model } from '../model/model.ts'
import { ownValue } from '../model/objects.ts'
import type { ModelConfigs } from '../model/setup/configure.ts'
import { type Log, reasonOf } from '../observe/log.ts'
import type { Operation } from '../operation/operation.ts'
import { countedBy, type Envelope } from '../schema/envelope.ts'
import { forLog, type Missing, type ModelSource, SourceError } from '../source/source.ts'

/**
 * @param beside the operations of authentication
 * @throws StartError if one of the paths is served already, by the application or by another `ModelRest`
 */
export const assertFree = (
  host: Serving,
  ofModels: readonly Operation[],
  beside: readonly Operation[] = [],
): void => {
  refuseServed(host, beside, () => 'Remove that route, or use auth: { authenticate }.')
  const fixed = ofModels.filter(({ isInstead }) => isInstead !== true)
  refuseServed(
    host,
    fixed,
    ({ model }) => `Set another path for ${model}: modelConfig: { ${model}: { path: '…' } }.`,
  )
}

/** @throws StartError if another `ModelRest` of the application has its documentation at the same path */
export const assertDocumentationFree = (host: Serving, documentation: readonly Operation[]): void =>
  refuseServed(
    host,
    documentation,
    () => 'Serve one of the APIs at another base, or call registerAllModels() instead of init().',
  )

type Serving = Pick<Host, 'base' | 'serves'>

const refuseServed = (
  { base, serves }: Serving,
  operations: readonly Operation[],
  remedyOf: (operation: Operation) => string,
): void => {
  const taken = operations.find(({ method, path }) => serves?.(method, base + path) === true)
  if (taken !== undefined)
    throw new StartError(
      `The application already serves ${taken.method} ${base}${taken.path}. ${remedyOf(taken)}`,
    )
}

/** @throws StartError for an option that says how lists count, although responses do not show it */
export const assertCountsShown = (modelConfig: ModelConfigs, envelope: Envelope): void => {
  if (countedBy(envelope).lists.length > 0) return
  const name = Object.keys(modelConfig).find((model) => ownValue(modelConfig, model)?.count !== undefined)
  if (name !== undefined)
    throw new StartError(
      `modelConfig.${name}.count has no effect, because envelope leaves out count. Remove one of them.`,
    )
}

/** Checks the tables of an application. */
export interface TableCheck {
  /** @throws StartError for a missing table or column. An unavailable database only causes a warning. */
  atStart(log: Log): Promise<void>
  /**
   * The same for health checks, in case the database was unavailable at startup. Does nothing after it has succeeded
   * once.
   *
   * @throws StartError for a missing table or column; SourceError if the database is unavailable
   */
  later(): Promise<void>
}

export const tableCheckOf = (source: ModelSource, models: readonly Model[]): TableCheck => {
  let isDone = false
  const later = async (): Promise<void> => {
    if (isDone) return
    const [missing] = (await source.missing?.(models)) ?? []
    if (missing !== undefined) throw new StartError(describeMissing(missing, models))
    isDone = true
  }
  const atStart = async (log: Log): Promise<void> => {
    try {
      await later()
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      const reason = reasonOf(forLog(source, error))
      log.warn(`The database is unavailable, so its tables were not checked: ${reason}`)
    }
  }
  return { atStart, later }
}

const describeMissing = (
  { model, table, columns, database = '', migrate: command }: Missing,
  models: readonly Model[],
): string => {
  const { app } = models.find(({ name }) => name === model) ?? { app: 'app' }
  const migrate =
    command === undefined ? 'apply your migrations' : `apply your migrations, for example with ${command}`
  const inDatabase = database === '' ? '' : ` in the database ${database}`
  if (columns === undefined)
    return `There is no table ${table} for the model ${model}${inDatabase}. If this is the right database, ${migrate}. To leave out the model instead, set exclude: { ${app}: ['${model}'] }.`
  const names = columns.length === 1 ? `no column ${columns[0]}` : `none of the columns ${columns.join(', ')}`
  return `The table ${table} of the model ${model}${inDatabase} has ${names}. If this is the right database, ${migrate}.`
}

/** @throws StartError for stamps of callers without authentication, and for one that a registration would need */
export const assertStampable = (models: readonly Model[], auth: unknown, user: string | undefined): void => {
  for (const { name, stamps = [] } of models) {
    const place = `modelConfig.${name}.stamps`
    const caller = stamps.find(({ of }) => of === 'caller')
    if (caller !== undefined && auth === false)
      throw new StartError(
        `${place}.${caller.field.name}: without authentication, callers are unknown. Set the option auth, or remove it.`,
      )
    const needed = stamps.find(({ field }) => isNeeded({ ...field, optional: false }))
    if (name === user && auth === true && needed !== undefined)
      throw new StartError(
        `${place}: registration does not fill ${needed.field.name}. Give the column a default, or make it nullable.`,
      )
  }
}
