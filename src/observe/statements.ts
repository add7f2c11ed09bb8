import type { StatementBegun, StatementEnded } from './observer.ts'
import type { Watcher } from './watch.ts'

/** What a source knows of a statement, once for all the times that it is sent. */
export type StatementFacts = Omit<StatementBegun, 'within'>

/** Begins to watch a statement that is sent. */
export type WatchStatement = Watcher<StatementFacts, StatementEnded>
