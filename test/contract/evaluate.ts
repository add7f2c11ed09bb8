import { kinds } from '../../src/model/kinds/index.ts'
import type { Field } from '../../src/model/model.ts'

export { compareRows as byOrder, compareValues as order, holds } from '../../src/query/evaluate.ts'

export const isComparable = ({ kind }: Field): boolean => kinds[kind].comparable
export const isOrdered = ({ kind }: Field): boolean => kinds[kind].ordered
export const isTextual = ({ kind }: Field): boolean => kinds[kind].textual
