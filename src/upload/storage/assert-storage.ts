import { StartError } from '../../error/start-error.ts'
import type { FileStorage } from './storage.ts'

const acts = ['check', 'put', 'open', 'stat', 'delete', 'list'] satisfies readonly (keyof FileStorage)[]

/** @throws StartError for what is no storage of files */
export const assertStorage = (storage: unknown): void => {
  if (storage === undefined) return
  const isStorage =
    typeof storage === 'object' &&
    storage !== null &&
    acts.every((name) => typeof Reflect.get(storage, name) === 'function')
  if (isStorage) return
  throw new StartError(
    "The option storage is no storage of files. Write storage: diskStorage({ directory: '/var/lib/shop/media' }).",
  )
}
