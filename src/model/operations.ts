import { assertKnown, StartError } from '../error/errors.ts'

/** The operations that have endpoints. */
export const endpointNames = ['list', 'read', 'create', 'update', 'replace', 'delete'] as const

/**
 * An operation of a model: `list` and `create` on its path, the others on the path of a record. `related`, which `list` implies, has no
 * path: other models have the relations to this one.
 */
export type OperationName = (typeof endpointNames)[number] | 'related'

const operationNames: readonly OperationName[] = [...endpointNames, 'related']

/** Those that change nothing. */
export const readingNames: readonly OperationName[] = ['list', 'read', 'related']

interface Chosen {
  readonly name: string
  readonly readOnly: boolean
  readonly operations?: readonly OperationName[]
  readonly unset?: readonly string[]
}

/** Whether clients have the operation. */
export const hasOperation = (model: Chosen, name: OperationName): boolean =>
  isChosen(model, name) && !(name === 'create' && model.unset !== undefined)

/** Whether clients may choose records by a filter, whose number tells as much as a list. */
export const takesFilters = (model: Chosen): boolean => hasOperation(model, 'list')

/** The same, also for a `create` that fails unless the parent of the new record sets a field. */
export const isChosen = ({ operations, readOnly }: Chosen, name: OperationName): boolean =>
  (operations === undefined ||
    operations.includes(name) ||
    (name === 'related' && operations.includes('list'))) &&
  (!readOnly || readingNames.includes(name))

/** Whether clients can write records of the model. */
export const isWritten = (model: Chosen): boolean =>
  operationNames.some((name) => !readingNames.includes(name) && hasOperation(model, name))

/** Whether a body stores values of the model. */
export const takesBodies = (model: Chosen): boolean =>
  (['create', 'update', 'replace'] as const).some((name) => hasOperation(model, name))

/** Those of a model without a primary key: nothing tells one of its records from another. */
export const keylessOperations: readonly OperationName[] = Object.freeze(['list'])

/** The model without one of its operations. */
export const withoutOperation = <Of extends Chosen>(model: Of, without: OperationName): Of => {
  const operations = operationNames.filter((name) => name !== without && hasOperation(model, name))
  return Object.freeze({ ...model, operations: Object.freeze(operations) })
}

/** @throws StartError for an unknown operation, and for one that a view cannot have */
export const chosenOperations = (
  { name: model, readOnly, primaryKey = [model] }: Chosen & { readonly primaryKey?: readonly string[] },
  given: readonly string[],
): readonly OperationName[] => {
  const place = `modelConfig.${model}.operations`
  for (const name of given) assertKnown(`${place}: unknown operation`, name, operationNames)
  const chosen = operationNames.filter((name) => given.includes(name))
  const single = chosen.find((name) => primaryKey.length === 0 && !keylessOperations.includes(name))
  if (single !== undefined)
    throw new StartError(`${place}: ${model} has no primary key, so it has only list. Remove ${single}.`)
  const writing = chosen.find((name) => readOnly && !readingNames.includes(name))
  if (writing !== undefined)
    throw new StartError(`${place}: ${model} is a view, which is read-only. Remove ${writing}.`)
  return Object.freeze(chosen)
}
