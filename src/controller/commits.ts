import { stderrLog } from '../observe/log.ts'
import type { Call } from '../operation/call.ts'
import { type CommitEvent, type Controller, hookContext } from './hooks.ts'

export interface Commit {
  readonly controller: Controller
  readonly event: CommitEvent
  readonly record: Record<string, unknown>
  readonly call: Call
  readonly db: unknown
}

/** Runs what follows a commit, as `afterCommit` hooks, behind the replies of their requests. */
export interface Commits {
  /** The hook begins once the reply has been handed over. What it throws is logged. */
  announce(commit: Commit): void
  /** Runs something else behind the reply. What it fails with is logged on stderr: whoever asked has gone. */
  follow(work: () => Promise<void>): void
  settled(): Promise<void>
}

export const commitsOf = (): Commits => {
  const running = new Set<Promise<void>>()
  const follow: Commits['follow'] = (work) => {
    const run: Promise<void> = new Promise<void>((resolve) => setImmediate(resolve))
      .then(work)
      .catch((error: unknown) => stderrLog.error('What runs behind a reply failed', error))
      .finally(() => running.delete(run))
    running.add(run)
  }
  return {
    announce: (commit) => follow(() => runAfterCommit(commit)),
    follow,
    settled: async () => {
      while (running.size > 0) await Promise.all(running)
    },
  }
}

const runAfterCommit = async ({ controller, event, record, call, db }: Commit): Promise<void> => {
  try {
    await controller.hooks.afterCommit?.(call.request, event, record, hookContext(db, call))
  } catch (error) {
    call.log.error(`${controller.place}: afterCommit of a ${event} failed, request ${call.requestId}`, error)
  }
}
