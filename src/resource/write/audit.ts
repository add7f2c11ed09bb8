import type { ScopedCall } from '../../controller/scope.ts'
import type { Audited } from '../../model/audit.ts'
import type { Author } from '../../operation/audit.ts'
import { everything, fixedValues } from '../../query/ast.ts'

/** The caller, and the columns that the scope of the entries sets, as for a record that the caller creates. */
export const authorOf = (
  { entries }: Audited,
  { call, guards }: Pick<ScopedCall, 'call' | 'guards'>,
): Author => {
  const fixed = fixedValues(guards?.get(entries.name) ?? everything)
  const columns = Object.fromEntries([...fixed].filter(([name]) => !entries.primaryKey.includes(name)))
  return { caller: call.caller, columns }
}
