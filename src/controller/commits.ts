import type { Call } from '../operation/call.ts'
import type { Controller } from './controller.ts'
import type { CommitEvent } from './hooks.ts'
import { contextWith } from './visit.ts'

/** What was committed. */
export interface Commit {
  readonly controller: Controller
  readonly event: CommitEvent
  readonly record: Record<string, unknown>
  readonly call: Call
  /** The ORM's own handle. */
  readonly db: unknown
}

/** Runs `afterCommit` hooks behind the replies of their requests. */
export interface Commits {
  /** The hook begins once the reply has been handed over. What it throws is logged. */
  announce(commit: Commit): void
  /** Resolves once every hook that was announced has ended. */
  settled(): Promise<void>
}

export const commitsOf = (): Commits => {
  const running = new Set<Promise<void>>()
  return {
    announce: (commit) => {
      const run: Promise<void> = behindTheReply()
        .then(() => announced(commit))
        .finally(() => running.delete(run))
      running.add(run)
    },
    settled: async () => {
      while (running.size > 0) await Promise.all(running)
    },
  }
}

const behindTheReply = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const announced = async ({ controller, event, record, call, db }: Commit): Promise<void> => {
  try {
    await controller.hooks.afterCommit?.(call.request, event, record, contextWith(db, call))
  } catch (error) {
    call.log.error(`${controller.place}: afterCommit of a ${event} failed, request ${call.requestId}`, error)
  }
}
