import { StartError } from '../error/errors.ts'
import type { Host } from '../host/host.ts'
import type { Model } from '../model/model.ts'
import { hiddenByName, looksSecret, type SecretFields, secretKeyOf } from '../model/secret.ts'
import type { Log } from '../observe/log.ts'
import type { Operation } from '../operation/operation.ts'
import { type ModelSource, SourceError } from '../source/source.ts'

/** @throws StartError where the application serves the path of a model, or of an operation beside them, already. */
export const assertFree = (host: Host, models: readonly Model[], beside: readonly Operation[] = []): void => {
  for (const { method, path } of beside) {
    if (host.serves(method, `${host.base}${path}`))
      throw new StartError(
        `The application serves ${method} ${host.base}${path} already. Take its own route away, or give auth: { authenticate }.`,
      )
  }
  for (const { name, path } of models) {
    if (host.serves('GET', `${host.base}/${path}`) || host.serves('GET', `${host.base}/${path}/`)) {
      throw new StartError(
        `The application serves ${host.base}/${path} already. Give ${name} another path: modelConfig: { ${name}: { path: '…' } }.`,
      )
    }
  }
}

/** @throws StartError for a model whose table is not there. A database that cannot be reached is a warning. */
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
      `The database has no table for ${missing}. Create it, or leave the model out: exclude: { ${app}: ['${missing}'] }.`,
    )
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    log.warn('The database cannot be reached, so its tables were not checked.')
  }
}

/** What else the log tells. */
interface Started {
  readonly routes: number
  readonly controllers: string
  /** Models that were left out without a word of `exclude`. */
  readonly internal: readonly Model[]
  readonly secret: SecretFields
  /** There is authentication. */
  readonly isProtected: boolean
}

/** What the log says once everything is registered. */
export const startLines = (
  base: string,
  models: readonly Model[],
  { routes, controllers, internal, secret, isProtected }: Started,
): readonly string[] => {
  const hidden = hiddenByName(models, secret)
  const keys = internal.filter((model) => secretKeyOf(model, secret).length > 0)
  const others = internal.filter((model) => !keys.includes(model))
  const under = base === '' ? '/' : base
  return [
    `${models.length} models, ${routes} routes under ${under}, ${protection(models, isProtected)}, ${controllers}, docs ${base}/docs`,
    ...(hidden.length > 0 ? [`hidden by name: ${hidden.join(', ')}`] : []),
    ...(others.length > 0 ? [`internal, not served: ${others.map(nameWithApp).join(', ')}`] : []),
    ...(keys.length > 0 ? [secretKeysLine(keys, secret)] : []),
    ...shownKeyLines(models),
  ]
}

const secretKeysLine = (models: readonly Model[], secret: SecretFields): string => {
  const named = models.map((model) => `${nameWithApp(model)} (${secretKeyOf(model, secret).join(', ')})`)
  return `internal, because the key is a secret by its name: ${named.join(', ')}. modelConfig: { ${models[0]?.name}: { internal: false } } serves it.`
}

/** What the application has opened in spite of its name. */
const shownKeyLines = (models: readonly Model[]): readonly string[] => {
  const shown = models.flatMap(({ name, fields, primaryKey }) =>
    fields
      .filter((field) => primaryKey.includes(field.name) && looksSecret(field))
      .map((field) => `${name}.${field.name}`),
  )
  return shown.length === 0
    ? []
    : [`keys that stand in URLs and replies, secret by name: ${shown.join(', ')}`]
}

const protection = (models: readonly Model[], isProtected: boolean): string => {
  if (!isProtected) return 'PUBLIC (auth: false)'
  const open = models.flatMap(({ name, public: what }) =>
    what === undefined ? [] : [what === 'read' ? `${name} (read)` : name],
  )
  return open.length === 0 ? 'protected' : `protected but for ${open.join(', ')}`
}
const nameWithApp = ({ app, name }: Model): string => `${app}.${name}`
