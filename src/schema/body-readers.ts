import type { Model } from '../model/model.ts'
import type { BodyReader } from './body-reader.ts'
import type { CustomBodies } from './custom/custom-body.ts'
import { customReader } from './custom/custom-reader.ts'
import { jsonSchemasOf, type ModelJsonSchemas } from './json-schemas.ts'
import { schemasOf } from './model-schemas.ts'
import { validateBody } from './validate.ts'

type Which = 'create' | 'update' | 'replace'

export interface BodyReaders extends Readonly<Record<Which, BodyReader>> {
  /** Whether a schema of the application's own reads the body. */
  readonly isCustom: Readonly<Record<Which, boolean>>
}

/** The readers of a model's bodies. */
export const bodyReadersOf = (model: Model, custom: CustomBodies = {}): BodyReaders => {
  const schemas = schemasOf(model)
  const readerOf = (which: Which): BodyReader => {
    const own = custom[which]
    return own === undefined ? (body) => validateBody(schemas[which], body) : customReader(model, which, own)
  }
  return {
    create: readerOf('create'),
    update: readerOf('update'),
    replace: readerOf('replace'),
    isCustom: {
      create: custom.create !== undefined,
      update: custom.update !== undefined,
      replace: custom.replace !== undefined,
    },
  }
}

/** The JSON Schemas of a model with those of the application's own in their places. */
export const shownSchemasOf = (model: Model, custom: CustomBodies = {}): ModelJsonSchemas => {
  const generated = jsonSchemasOf(model)
  const own = Object.entries(custom).flatMap(([which, { shown }]) => (shown ? [[which, shown]] : []))
  if (own.length === 0) return generated
  const { list, detail, create, update, replace } = generated
  return Object.freeze({ list, detail, create, update, replace, ...Object.fromEntries(own) })
}
