import { randomUUID } from 'node:crypto'
import { kinds } from '../../model/kinds/index.ts'
import type { Model, Unfinished } from '../../model/model.ts'
import { ownValue } from '../../model/objects.ts'
import type { Row } from '../../source/source.ts'
import type { AuthSettings } from '../settings/index.ts'
import { nowInSeconds } from '../tokens/tokens.ts'
import { passwordColumnOf } from './user-columns.ts'

/** No hash has it: neither those of argon2 nor those of other programs contain an exclamation mark before a name. */
const MARK = '!registering:'

/**
 * In seconds. An older registration is abandoned: its process has ended, or its client has disconnected. A proxy ends a request
 * long before.
 */
const ABANDONED = 3600

/**
 * What stands in the password column until `ON_REGISTER` and `CLAIMS` have accepted the user. It is unique to the registration,
 * and tells when it began.
 */
export const newMark = (): string => `${MARK}${nowInSeconds()}:${randomUUID()}`

/** Whether the registration of an unfinished user can no longer be finished. */
export const isAbandoned = (row: Row, password: string): boolean => {
  const stored = ownValue(row, password)
  if (typeof stored !== 'string' || !stored.startsWith(MARK)) return false
  return nowInSeconds() - Number.parseInt(stored.slice(MARK.length), 10) > ABANDONED
}

/**
 * How statements recognize unfinished users, whatever the settings: a process may have left some behind when they were others.
 * `undefined` without a user model or a text column for passwords.
 */
export const unfinishedUsers = (
  user: Model | undefined,
  { ON_REGISTER, CLAIMS, REGISTRATION }: Pick<AuthSettings, 'ON_REGISTER' | 'CLAIMS' | 'REGISTRATION'>,
): UnfinishedUsers | undefined => {
  const password = user && passwordColumnOf(user)
  if (user === undefined || password === undefined || !kinds[password.kind].textual) return undefined
  const isExpected = REGISTRATION && (ON_REGISTER !== undefined || CLAIMS !== undefined)
  const unfinished = Object.freeze({ field: password.name, text: MARK, isExpected })
  return Object.freeze({ model: user.name, unfinished })
}

interface UnfinishedUsers {
  readonly model: string
  readonly unfinished: Unfinished
}
