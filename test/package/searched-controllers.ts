import { controllersOf } from '../../src/controller/class.ts'
import { linkedModel } from '../../src/controller/controller-for.ts'
import { findControllers } from '../../src/controller/discovery.ts'
import type { Found } from './found-controllers.ts'

/** Searches for controllers in a process in which Node imports them, and not Vitest. */
export const searched = async (question: {
  readonly calling: readonly string[]
  readonly baseDir?: string | undefined
}): Promise<Found> => {
  try {
    const { controllers, summary } = await findControllers({ apps: ['shop', 'blog'], ...question })
    const served = controllers.map(({ controller }) => ({ name: linkedModel(controller), readOnly: false }))
    const read = controllersOf(
      controllers,
      { served, described: served } as never,
      { isAsync: true } as never,
    )
    const created = [...read.values()].map(({ hooks }) =>
      Reflect.apply(Object(hooks.beforeCreate), null, [null, {}, null, null]),
    )
    return { summary, places: controllers.map(({ place }) => place), created }
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'StartError') throw error
    const { cause } = error
    return { error: error.message, ...(cause instanceof Error && { cause: cause.message }) }
  }
}
