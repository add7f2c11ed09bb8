import type { DataSource, EntityManager, QueryRunner } from 'typeorm'
import type { WatchStatement } from '../../observe/observer.ts'
import type { Sending } from '../sql/database.ts'
import type { MappedEntity } from './describe.ts'
import type { Execution } from './execution.ts'

/**
 * Where statements are observed: those of the engine, and those of TypeORM's own acts. Listeners and subscribers get the application's
 * own manager, whose statements are not observed, as those that begin and end transactions are not.
 */
export const observedPlace = (place: Execution, entity: MappedEntity, watch: WatchStatement): Execution => {
  const { engine, observeOf } = place.engine.observed(watch)
  return { ...place, engine, manager: observedManager(place.manager, observeOf(entity)) }
}

const UNOBSERVED = Symbol('modelrest.unobserved')

/** The manager whose statements are not observed. */
export const unobserved = (manager: EntityManager): EntityManager =>
  (Reflect.get(manager, UNOBSERVED) as EntityManager | undefined) ?? manager

const observedManager = (manager: EntityManager, observe: Sending): EntityManager => {
  const { dataSource, queryRunner } = manager
  const observed: DataSource = Object.create(dataSource, {
    createQueryRunner: {
      value: (mode?: Parameters<DataSource['createQueryRunner']>[0]) =>
        runnerIn(observed, dataSource.createQueryRunner(mode), observe),
    },
  })
  return queryRunner === undefined
    ? Object.defineProperty(observed.createEntityManager(), UNOBSERVED, { value: manager })
    : runnerIn(observed, queryRunner, observe).manager
}

/** A query runner with a manager of its own, whose methods run in the given one. */
const runnerIn = (source: DataSource, runner: QueryRunner, observe: Sending): QueryRunner => {
  const query = (text: string, ...others: unknown[]): Promise<unknown> =>
    observe(text, () => Reflect.apply(runner.query, runner, [text, ...others]))
  let manager: unknown
  const observed = new Proxy(runner, {
    get: (target, name) => {
      if (name === 'query') return query
      if (name === 'manager') return manager
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
    set: (target, name, value) => {
      if (name !== 'manager') return Reflect.set(target, name, value)
      manager = value
      return true
    },
  })
  // A manager makes itself that of its query runner.
  const own = source.createEntityManager(observed)
  Object.defineProperty(own, UNOBSERVED, { value: runner.manager })
  return observed
}
