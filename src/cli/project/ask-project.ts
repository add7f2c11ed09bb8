import type { Terminal } from '../command.ts'
import { Failure } from '../failure.ts'
import { UsageError } from '../usage-error.ts'
import { type Attempt, attempt } from './attempt.ts'
import { loaderOf } from './loader.ts'
import type { Question, QuestionName, Questions, Reply, Said } from './question.ts'

/** An answer or why there is none, with what the start of the application said. */
export type Asked<Name extends QuestionName> =
  | { readonly kind: 'answer'; readonly answer: Questions[Name]['answer']; readonly said: readonly Said[] }
  | {
      readonly kind: 'failed'
      /** UsageError for a name that the module does not export; Failure where the module or the start fails. */
      readonly error: UsageError | Failure
      readonly said: readonly Said[]
    }

/**
 * Loads a project in a process of its own, asks it one thing, and ends that process: whatever it opened, logs or waits
 * for is gone then, and what it prints never mixes with the answer. What it prints is shown where it fails.
 */
export const askProject = async <Name extends QuestionName>(
  question: Question<Name>,
  terminal: Pick<Terminal, 'folder' | 'note'>,
): Promise<Asked<Name>> => {
  const { reply, show } = await lastOf(question, terminal)
  if (reply.kind === 'answer') return reply as Asked<Name>
  show()
  const { reason, message, said } = reply
  return { kind: 'failed', error: new (reason === 'usage' ? UsageError : Failure)(message), said }
}

/** Decorators, enums and paths of a tsconfig are more than Node reads by itself. */
const lastOf = async (question: Question, terminal: Pick<Terminal, 'folder' | 'note'>): Promise<Attempt> => {
  const first = await attempt(question, { execArgv: [], env: {} }, terminal)
  if (!isUnread(first.reply)) return first
  const loading = loaderOf(question.place.module, terminal.folder)
  if (loading !== undefined) return attempt(question, loading, terminal)
  if (first.reply.reason !== 'syntax') return first
  const message = `${first.reply.message}\nWith the package tsx in the project, modules that Node cannot read by itself are loaded too: npm i -D tsx`
  return { ...first, reply: { ...first.reply, message } }
}

const isUnread = (reply: Reply): reply is Reply & { readonly kind: 'failed' } =>
  reply.kind === 'failed' && reply.reason !== 'usage' && reply.reason !== 'failure'
