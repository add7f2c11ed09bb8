import { StartError } from '../error/errors.ts'
import type { Host } from '../host/host.ts'
import type { Model } from '../model/model.ts'
import type { Log } from '../observe/log.ts'
import type { Operation } from '../operation/operation.ts'
import { type ModelSource, SourceError } from '../source/source.ts'

/** @param beside the operations of authentication @throws StartError if the application already serves one of the paths */
export const assertFree = (host: Host, models: readonly Model[], beside: readonly Operation[] = []): void => {
  for (const { method, path } of beside) {
    if (host.serves?.(method, `${host.base}${path}`))
      throw new StartError(
        `The application already serves ${method} ${host.base}${path}. Remove that route, or use auth: { authenticate }.`,
      )
  }
  for (const { name, path } of models) {
    if (host.serves?.('GET', `${host.base}/${path}`) || host.serves?.('GET', `${host.base}/${path}/`)) {
      throw new StartError(
        `The application already serves ${host.base}/${path}. Set another path for ${name}: modelConfig: { ${name}: { path: '…' } }.`,
      )
    }
  }
}

/** @throws StartError for a missing table. An unavailable database only causes a warning. */
export const assertTables = async (
  source: ModelSource,
  models: readonly Model[],
  log: Log,
): Promise<void> => {
  try {
    const [missing] = await source.missingTables(models)
    if (missing === undefined) return
    const { app } = models.find(({ name }) => name === missing) ?? { app: 'app' }
    throw new StartError(
      `The database has no table for ${missing}. Create it, or exclude the model: exclude: { ${app}: ['${missing}'] }.`,
    )
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    log.warn('The database is unavailable, so its tables were not checked.')
  }
}
