import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { diskStorage, type FileStorage } from 'modelrest'

export interface Images {
  readonly storage: FileStorage
  readonly close: () => void
}

/** Where the images of categories are: in `media` beside the database. One that keeps nothing keeps no images either. */
export const openImages = (database: string): Images => {
  const keeps = database !== ':memory:'
  const directory = keeps ? join(dirname(database), 'media') : mkdtempSync(join(tmpdir(), 'shop-media-'))
  const close = (): void => {
    if (!keeps) rmSync(directory, { recursive: true, force: true })
  }
  return { storage: diskStorage({ directory }), close }
}
