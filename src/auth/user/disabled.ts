import { ownValue } from '../../model/own-value.ts'
import type { Row } from '../../source/source.ts'

/** Columns that say no to a user where they are false. SQLite may keep a boolean as a number. */
const activeNames = ['is_active', 'isActive']
const falsehoods: readonly unknown[] = [false, 0, 0n]

/** Columns that say no to a user where they hold anything. */
const disabledNames = ['disabled_at', 'disabledAt']

/** Whether a user may not come in (contract, 9). */
export const isDisabled = (row: Row): boolean =>
  activeNames.some((name) => falsehoods.includes(ownValue(row, name))) ||
  disabledNames.some((name) => ownValue(row, name) !== undefined && ownValue(row, name) !== null)
