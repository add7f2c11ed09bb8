import type { CountMode, Model } from '../model/model.ts'
import type { Parameters } from './parameters.ts'
import { refuse, shown } from './refuse.ts'

/** How the request wants matching records counted. @throws HttpError 400 for a mode that the model does not allow */
export const readCount = ({ values }: Parameters, { count }: Model): CountMode => {
  const asked = values.get('count')?.[0]
  if (asked === undefined) return count.default
  const mode = count.allowed.find((allowed) => allowed === asked)
  if (mode !== undefined) return mode
  throw refuse(
    'invalid_value',
    'count',
    `count must be one of ${count.allowed.join(', ')}, not ${shown(asked)}.`,
    'not_in_enum',
  )
}
