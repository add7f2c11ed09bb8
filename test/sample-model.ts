import type { Field, Model } from '../src/model/model.ts'

/** A field that may be read and written, of a source with all capabilities. */
export const fieldNamed = (
  name: string,
  kind: Field['kind'],
  form: Field['form'],
  more: Partial<Field> = {},
): Field => ({
  name,
  kind,
  form,
  nullable: false,
  hasDefault: false,
  generated: false,
  access: 'read-write',
  optional: false,
  ...(kind === 'text' && { comparisons: ['starts-with', 'equals-ignoring-case'] }),
  ...more,
})

/** A model as a source describes it, with the key `id`. */
export const modelOf = (name: string, fields: readonly Field[], more: Partial<Model> = {}): Model => ({
  name,
  app: 'shop',
  path: `${name.toLowerCase()}s`,
  fields,
  primaryKey: ['id'],
  uniques: [],
  relations: [],
  readOnly: false,
  deprecated: false,
  count: { allowed: ['exact', 'none'] },
  ...more,
})
