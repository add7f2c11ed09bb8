import { stderrLog } from '../observe/log.ts'
import type { Call } from '../operation/call.ts'
import type { Session } from '../source/source.ts'
import type { CommitEvent, Controller } from './controller.ts'
import { hookTitle, writtenContext } from './hooks.ts'

export interface Commit {
  readonly controller: Controller
  readonly event: CommitEvent
  readonly record: Record<string, unknown>
  /** The record as it was. Absent: it was created. */
  readonly before: object | undefined
  readonly call: Call
  readonly source: Session
}

/** Runs work that follows a commit, such as `afterCommit` hooks, after the response of its request. */
export interface Commits {
  /** Starts the hooks, one after the other, once the response has been handed over. Logs their errors. */
  announce(...commits: readonly Commit[]): void
  /** Runs other work after the response. Logs its error on stderr, because the request is over. */
  follow(work: () => Promise<void>): void
  settled(): Promise<void>
}

export const commitsOf = (): Commits => {
  const running = new Set<Promise<void>>()
  const follow: Commits['follow'] = (work) => {
    const run: Promise<void> = new Promise<void>((resolve) => setImmediate(resolve))
      .then(work)
      .catch((error: unknown) => stderrLog.error('Background work failed after the response was sent', error))
      .finally(() => running.delete(run))
    running.add(run)
  }
  return {
    announce: (...commits) =>
      follow(async () => {
        for (const commit of commits) await runAfterCommit(commit)
      }),
    follow,
    settled: async () => {
      while (running.size > 0) await Promise.all(running)
    },
  }
}

const runAfterCommit = async ({ controller, event, record, before, call, source }: Commit): Promise<void> => {
  try {
    await controller.hooks.afterCommit?.(call.request, event, record, writtenContext(source, call, before))
  } catch (error) {
    const hook = hookTitle(controller, 'afterCommit')
    call.log.error(`A ${event} is stored, but ${hook} failed, request ${call.requestId}`, error)
  }
}
