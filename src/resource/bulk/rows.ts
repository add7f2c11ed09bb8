import { problem } from '../../error/errors.ts'
import { type Steps, wait } from '../../operation/steps.ts'
import type { Condition, Selection } from '../../query/ast.ts'
import type { Row } from '../../source/source.ts'
import type { Resource } from '../resource.ts'

/** @throws HttpError 400 `page_too_large` for records that are larger than a page may be */
export const assertSize = ({ pageBytes }: Pick<Resource, 'pageBytes'>, bytes: number): void => {
  if (bytes > pageBytes)
    throw problem(
      'page_too_large',
      `The records are larger than ${pageBytes} bytes together. Write fewer of them in one request.`,
    )
}

/** Reads lists that together are not larger than a page may be. @throws HttpError 400 `page_too_large` */
export const boundedRows = (resource: Resource) => {
  const { store, pageBytes } = resource
  let bytes = 0
  return function* (selection: Selection, guard: Condition): Steps<readonly Row[]> {
    let own = 0
    const rows = yield* wait(
      store.list(selection, guard, (sizes) => {
        // A source may repeat a read after a broken connection.
        own = sizes.reduce((total, size) => total + size, 0)
        return bytes + own <= pageBytes
      }),
    )
    bytes += own
    assertSize(resource, bytes)
    return rows
  }
}
