import type { EntityManager } from '@mikro-orm/core'

/** Runs SQL with a manager of any driver. */
export const execute = (manager: EntityManager, sql: string): Promise<unknown> =>
  (manager as EntityManager & { execute(statement: string): Promise<unknown> }).execute(sql)
