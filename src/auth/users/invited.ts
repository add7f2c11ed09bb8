import { randomUUID } from 'node:crypto'
import { ownValue } from '../../model/objects.ts'
import type { Row } from '../../source/source.ts'

/** No hash has it, and it differs from that of an unfinished registration, which no request finds. */
const MARK = '!invited:'

/**
 * What stands in the password column until an invited user has chosen a password. A token in a mail is for the password at its time,
 * so that another mark ends those of earlier mails.
 */
export const newInvitation = (): string => `${MARK}${randomUUID()}`

/** Whether an invited user has not chosen a password yet. */
export const isInvited = (row: Row, { name }: { readonly name: string }): boolean => {
  const stored = ownValue(row, name)
  return typeof stored === 'string' && stored.startsWith(MARK)
}
