import { assertCaller } from '../../controller/permissions.ts'
import type { ScopedCall } from '../../controller/scope.ts'
import type { Issue } from '../../error/errors.ts'
import { ownValue } from '../../model/objects.ts'
import type { Steps } from '../../operation/steps.ts'
import { bodyRefusal } from '../../schema/issues.ts'
import type { Row } from '../../source/source.ts'
import type { Resource } from '../resource.ts'
import { keyIn, keyText } from '../together/current.ts'
import type { Element } from '../together/elements.ts'
import { keysOf } from '../together/read.ts'
import { missingAt, recordsOf } from './records.ts'
import { rowsWithKeys } from './rows.ts'

/** An element of a body, with the record that it changes. */
export interface Existing {
  readonly element: Element
  readonly key: readonly unknown[]
  readonly row: Row
}

/**
 * Finds the records that the elements name by their keys.
 *
 * @throws HttpError 422 for a key that is missing, invalid or repeated; 404 for records that do not exist; 401
 */
export function* existingOf(
  resource: Resource,
  scoped: ScopedCall,
  elements: readonly Element[],
): Steps<readonly Existing[]> {
  const { model, permissions } = resource
  const records = recordsOf(resource)
  const issues: Issue[] = []
  const keys = keysOf(records, elements, issues)
  if (issues.length > 0) throw bodyRefusal(issues)
  const rows = new Map<string, Row>()
  for (const row of yield* rowsWithKeys(resource, scoped, [...keys.values()]))
    rows.set(keyText(records, keyIn(records, row)), row)
  const found = [...keys].flatMap(([element, key]) => {
    const row = rows.get(keyText(records, key))
    return row === undefined
      ? []
      : [{ element, key: model.primaryKey.map((name) => ownValue(row, name)), row }]
  })
  if (found.length === elements.length) return found
  // Otherwise the 404 would tell anonymous callers which records exist.
  if (typeof permissions.update === 'function' && permissions.read === 'authenticated')
    assertCaller(scoped.call)
  const known = new Set(found.map(({ element }) => element))
  throw missingAt(
    model,
    elements.filter((element) => !known.has(element)).map(({ path }) => path),
  )
}
