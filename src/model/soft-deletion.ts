import type { Deleted, Model } from './model.ts'
import { onceFor } from './objects.ts'

/** The same model, whose stores also show deleted records. They delete for good. */
export const withDeleted = (model: Model): Model => views.with(model)

/** The same model, whose stores show only deleted records. They delete for good. */
export const onlyDeleted = (model: Model): Model => views.only(model)

/** The same model, whose stores also show deleted and unfinished records. They delete for good. */
export const withUnfinished = (model: Model): Model => views.all(model)

const viewOf = (deleted: Deleted) =>
  onceFor((model: Model): Model => {
    const isWhole = model.softDelete === undefined && (deleted !== 'all' || model.unfinished === undefined)
    return isWhole ? model : Object.freeze({ ...model, deleted })
  })

const views = Object.freeze({ with: viewOf('with'), only: viewOf('only'), all: viewOf('all') })
