import type { Awaitable, Model, Row, Session } from '../../entry/source.ts'
import type { Stage } from './stage.ts'

/** @param before what the step before returned */
export type SessionStep = (inside: Session, before: unknown) => Awaitable<unknown>

/** Runs steps in a transaction, and returns what the last one returns. On a synchronous source, no step waits. */
export const stepsIn =
  ({ source, can }: Pick<Stage, 'source' | 'can'>) =>
  (...steps: readonly SessionStep[]): Awaitable<unknown> =>
    source().transaction<unknown>((session) => {
      if (can('synchronous')) return steps.reduce<unknown>((last, step) => step(session, last), undefined)
      return (async () => {
        let last: unknown
        for (const step of steps) last = await step(session, last)
        return last
      })()
    })

/** Tests of `createMany`, which need models that have it, and more. */
export const testingMany =
  (stage: Pick<Stage, 'test'>) =>
  (
    title: string,
    models: readonly string[],
    body: () => Promise<unknown>,
    needs: readonly string[] = [],
  ): void =>
    stage.test(
      title,
      ['transactions', ...models, ...models.map((name) => `${name}.createMany`), ...needs],
      body,
    )

export const many =
  (model: Model, values: readonly Row[]): SessionStep =>
  (session) => {
    const records = session.store(model)
    if (records.createMany === undefined)
      throw new Error(`${model.name}: the stores of a transaction must have createMany if others have it.`)
    return records.createMany(values)
  }

/** Creates records together, in a transaction. */
export const createTogether = (stage: Pick<Stage, 'source' | 'can' | 'model'>) => {
  const run = stepsIn(stage)
  return async (name: string, values: readonly Row[]): Promise<readonly Row[]> =>
    (await run(many(stage.model(name), values))) as readonly Row[]
}
