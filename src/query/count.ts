import type { CountMode, Model } from '../model/model.ts'
import type { PaginationType } from './pagination.ts'
import type { Parameters } from './parameters.ts'
import { refuse, shown } from './refuse.ts'
import type { ListRules } from './rules.ts'

/** How the request wants matching records counted. @throws HttpError 400 for a mode that the model does not allow */
export const readCount = ({ values }: Parameters, { model, paging }: ListRules): CountMode => {
  const { count } = model
  const asked = values.get('count')?.[0]
  if (asked === undefined) return defaultCount(model, paging)
  const mode = count.allowed.find((allowed) => allowed === asked)
  if (mode !== undefined) return mode
  throw refuse(
    'invalid_value',
    'count',
    `count must be one of ${count.allowed.join(', ')}, not ${shown(asked)}.`,
    'not_in_enum',
  )
}

const usual: Readonly<Record<PaginationType, CountMode>> = {
  'limit-offset': 'exact',
  'page-number': 'exact',
  cursor: 'none',
}

/** How a list counts where the request does not say. */
export const defaultCount = ({ count }: Model, paging: PaginationType): CountMode =>
  count.default ?? (count.allowed.includes(usual[paging]) ? usual[paging] : (count.allowed[0] ?? 'none'))
