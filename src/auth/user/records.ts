import type { Model } from '../../model/model.ts'
import { type Steps, waitInAnyMode } from '../../operation/steps.ts'
import { everything } from '../../query/ast.ts'
import type { ModelSource, Row } from '../../source/source.ts'
import { passwordColumnOf } from './password-column.ts'

/** Users as hooks see them. */
export interface UserRecords {
  /** @param id in the form of the key */
  read(id: unknown): Steps<Row | undefined>
  withoutPassword(row: Row): Row
}

/** The records of a user model, whichever way its users log in. */
export const userRecordsOf = (model: Model, source: ModelSource): UserRecords => {
  const store = source.store(model)
  const password = passwordColumnOf(model)?.name
  return Object.freeze<UserRecords>({
    read: (id) => waitInAnyMode(store.read([id], everything)),
    withoutPassword: (row) =>
      Object.freeze(Object.fromEntries(Object.entries(row).filter(([name]) => name !== password))),
  })
}
