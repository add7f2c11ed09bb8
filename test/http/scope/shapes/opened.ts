import { afterAll, beforeAll, describe } from 'vitest'
import { type BothShapes, everythingGiven, inBothShapes, type Serving } from './both.ts'
import type { Given } from './given.ts'
import { openShapes, type ShapeStage, type ShapeWorlds, shapeStages } from './stages.ts'

/** What an ORM maps in a way of its own: records that it hides as deleted, a join table, and a class of a table. */
const mapped = ['Account', 'ContentLabel', 'Post']

const allModels = [
  ...['Account', 'Membership', 'Content', 'ContentLabel'],
  ...['Team', 'Label', 'Remark', 'Slot', 'Ticket'],
]

/** The engine and Prisma choose records by themselves. The other ORMs, which have classes, have the engine do it. */
const modelsOf = ({ hasClasses }: ShapeStage): readonly string[] =>
  hasClasses === false ? allModels : mapped

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
  describe.each(Object.entries(shapeStages))(`${tests}, with %s`, (_orm, stage) => {
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
    define(modelsOf(stage), () => open)
  })
}
