import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { diskStorage, type FileStorage } from 'modelrest'

export interface Images {
  readonly storage: FileStorage
  readonly close: () => void
}

/**
 * Stores images of categories in the given folder, which all processes share, or in `media` beside the SQLite file. An
 * in-memory database uses a temporary folder.
 */
export const openImages = (database: string, folder?: string): Images => {
  const keeps = folder !== undefined || database !== ':memory:'
  const directory = keeps ? (folder ?? besides(database)) : mkdtempSync(join(tmpdir(), 'shop-media-'))
  const close = (): void => {
    if (!keeps) rmSync(directory, { recursive: true, force: true })
  }
  return { storage: diskStorage({ directory }), close }
}

const besides = (database: string): string =>
  join(database.includes('://') ? import.meta.dirname : dirname(database), 'media')
