import { kinds } from './kinds.ts'
import type { Field, Model } from './model.ts'
import { onceFor } from './once-for.ts'

/** Whether a field holds an uploaded file. */
export const isFileField = ({ kind }: Pick<Field, 'kind'>): boolean => kinds[kind].upload !== undefined

/** The fields of a model that hold uploaded files. */
export const fileFieldsOf: (model: Model) => readonly Field[] = onceFor((model: Model) =>
  Object.freeze(model.fields.filter(isFileField)),
)
