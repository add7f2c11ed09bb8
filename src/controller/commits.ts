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
    announce: (...commits) => follow(() => runAfterCommits(commits)),
    follow,
    settled: async () => {
      while (running.size > 0) await Promise.all(running)
    },
  }
}

/** A hook that fails for one record may fail for all that one request writes. */
const MOST_LOGGED = 10

const runAfterCommits = async (commits: readonly Commit[]): Promise<void> => {
  const failures: FailedCommit[] = []
  for (const commit of commits) {
    const failure = await failureOf(commit)
    if (failure === undefined) continue
    failures.push(failure)
    if (failures.length <= MOST_LOGGED) logFailure(`A ${commit.event} is stored`, failure)
  }
  const [last] = failures.slice(-1)
  const more = failures.length - MOST_LOGGED
  if (last !== undefined && more > 0) logFailure(`${more} more writes are stored`, last)
}

interface FailedCommit {
  readonly commit: Commit
  readonly error: unknown
}

/** `undefined`: the hook succeeded. */
const failureOf = async (commit: Commit): Promise<FailedCommit | undefined> => {
  const { controller, event, record, before, call, source } = commit
  try {
    await controller.hooks.afterCommit?.(call.request, event, record, writtenContext(source, call, before))
    return undefined
  } catch (error) {
    return { commit, error }
  }
}

const logFailure = (what: string, { commit: { controller, call }, error }: FailedCommit): void => {
  const hook = hookTitle(controller, 'afterCommit')
  call.log.error(`${what}, but ${hook} failed, request ${call.requestId}`, error)
}
