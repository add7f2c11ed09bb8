import { afterAll, beforeAll, describe } from 'vitest'
import { type BothShapes, everythingGiven, inBothShapes, type Serving } from './both.ts'
import type { Given } from './given.ts'
import { openShapes, type ShapeWorlds, shapeStages } from './stages.ts'

const classes = ['Post', 'Photo']

/** Models that all ORMs have, and those of the classes of a table. */
const shapeModels = [
  ...['Account', 'Team', 'Membership', 'Label', 'Content', 'ContentLabel', 'Remark', 'Slot', 'Ticket'],
  ...classes,
]

/** Two worlds with the models of an ORM. */
export interface OpenShapes {
  readonly worlds: ShapeWorlds
  readonly givenOf: (model: string) => Given
  readonly both: BothShapes
}

/** Defines tests for each ORM, whose worlds are served while they run. */
export const onEachOrm = (
  tests: string,
  serving: Serving,
  define: (models: readonly string[], open: () => OpenShapes) => void,
): void => {
  describe.each(Object.entries(shapeStages))(`${tests}, with %s`, (_name, stage) => {
    let worlds: ShapeWorlds
    let open: OpenShapes
    beforeAll(async () => {
      worlds = await openShapes(stage)
      const givenOf = await everythingGiven(worlds, stage)
      open = { worlds, givenOf, both: await inBothShapes(worlds, stage, serving) }
    })
    afterAll(async () => {
      await open?.both.stop()
      await worlds?.close()
    })
    const models = shapeModels.filter((name) => stage.hasClasses !== false || !classes.includes(name))
    define(models, () => open)
  })
}
