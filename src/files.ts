import { join } from 'node:path'
import { StartError } from './error/start-error.ts'
import { fileFieldsOf } from './model/file-fields.ts'
import type { Model } from './model/model.ts'
import { assertPaths } from './model/served.ts'
import { type ModelRestOptions, resolveSettings } from './options.ts'
import type { FileSetup } from './resource/files.ts'
import { multipartModels } from './upload/multipart-models.ts'
import { multipartBounds } from './upload/multipart-settings.ts'
import { diskStorage } from './upload/storage/disk/index.ts'

/** The files of an application. */
export interface Files {
  /** The models that are served, with their file fields as such. */
  readonly models: readonly Model[]
  readonly setup: FileSetup
  /** The application's own routes read forms as well. */
  readonly readsForms: boolean
  /** Asks the storage once whether it can keep files, where there are any. @throws StartError where it cannot */
  readonly check: () => Promise<void>
}

/**
 * What the options make of the models that are served.
 *
 * @throws StartError for what they cannot be
 */
export const filesOf = (options: ModelRestOptions<unknown>, served: readonly Model[]): Files => {
  const settings = resolveSettings(options.settings)
  assertServed(options, served)
  const multipart = multipartModels(served, options)
  const models = served.map((model) => multipart.get(model.name)?.model ?? model)
  // Models have files by `fileFields` as well: only now it is known whether the path of files is taken.
  assertPaths(models)
  const withFiles = models.filter((model) => fileFieldsOf(model).length > 0)
  const [written] = withFiles.filter(({ readOnly }) => !readOnly)
  if (written !== undefined && !options.models.capabilities.transactions) throw noTransactions(written)
  // Nothing is made on the disk before it is checked.
  const storage = options.storage ?? diskStorage({ directory: join(settings.BASE_DIR ?? '.', 'media') })
  return {
    models: Object.freeze(models),
    readsForms: settings.MIDDLEWARE?.includes('ProcessPutPatchMiddleware') ?? false,
    setup: { storage, multipart, ...multipartBounds(settings) },
    check: async () => {
      if (withFiles.length > 0) await storage.check()
    },
  }
}

/** A model that is there, but left out, is no slip of the pen. */
const assertServed = (
  { models: source, fileFields, useMultipart }: ModelRestOptions<unknown>,
  served: readonly Model[],
): void => {
  for (const [option, given] of Object.entries({ fileFields, useMultipart })) {
    const name = Object.keys(Object(given)).find((known) => has(source.models, known) && !has(served, known))
    if (name !== undefined)
      throw new StartError(`${option}.${name}: ${name} is left out, and not served. Remove one of the two.`)
  }
}

const has = (models: readonly Model[], name: string): boolean => models.some((model) => model.name === name)

const noTransactions = ({ name }: Model): StartError =>
  new StartError(
    `${name} has files, which need transactions, and this database has none that are apart from other requests. Give drizzle a pool of connections in place of a single one, or another driver.`,
  )
