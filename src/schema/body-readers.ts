import type { Model } from '../model/model.ts'
import { schemasOf } from './model-schemas.ts'
import { validateBody } from './validate.ts'

type Which = 'create' | 'update' | 'replace'

/** Reads a JSON body into the values that are stored. A schema of the application's own may take its time. */
export type BodyReader = (
  body: unknown,
) => Readonly<Record<string, unknown>> | PromiseLike<Readonly<Record<string, unknown>>>

export interface BodyReaders extends Readonly<Record<Which, BodyReader>> {
  /** Whether a schema of the application's own reads the body. */
  readonly isCustom: Readonly<Record<Which, boolean>>
}

/** The readers of a model's bodies. */
export const bodyReadersOf = (model: Model): BodyReaders => {
  const schemas = schemasOf(model)
  return {
    create: (body) => validateBody(schemas.create, body),
    update: (body) => validateBody(schemas.update, body),
    replace: (body) => validateBody(schemas.replace, body),
    isCustom: { create: false, update: false, replace: false },
  }
}
