import type { ProblemCode } from '../error/codes.ts'
import { problem } from '../error/errors.ts'
import { capital } from '../model/naming.ts'
import type { Call } from './call.ts'

/** An entity tag that a client sent (RFC 9110, 8.8.3). */
interface SentTag {
  readonly isWeak: boolean
  /** Without its quotes. */
  readonly text: string
}

/** The tags in a header, or `*`: any. */
export type SentTags = '*' | readonly SentTag[]

/** The problems of requests with preconditions. */
export const preconditionProblems: readonly ProblemCode[] = [
  'malformed_header',
  'unsupported_header',
  'precondition_failed',
]

const MAX_LENGTH = 4096
const MAX_TAGS = 32

/** An element of a list, which may be empty. Node decodes bytes above ASCII as Latin-1. */
const element = /[ \t]*(?:(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*)?(?:,|$)/y

/** Reads a list of entity tags. @throws HttpError 400 if it is malformed or too long */
export const sentTags = (call: Call, name: 'if-match' | 'if-none-match'): SentTags | undefined => {
  const header = call.header(name)
  if (header === undefined) return undefined
  if (header.trim() === '*') return '*'
  const tags = header.length > MAX_LENGTH ? undefined : tagsIn(header)
  if (tags !== undefined && tags.length > 0 && tags.length <= MAX_TAGS) return tags
  const rule = `must be * or entity tags in quotes, at most ${MAX_TAGS} in ${MAX_LENGTH} characters.`
  throw problem('malformed_header', `${shown(name)} ${rule}`)
}

const tagsIn = (header: string): readonly SentTag[] | undefined => {
  const tags: SentTag[] = []
  element.lastIndex = 0
  while (element.lastIndex < header.length) {
    const found = element.exec(header)
    if (found === null) return undefined
    const [, weak, text] = found
    if (text !== undefined) tags.push({ isWeak: weak !== undefined, text })
  }
  return tags
}

/** Weak comparison (RFC 9110, 8.8.3.2): a proxy may have marked a tag as weak. */
export const includesTag = (sent: SentTags, text: string): boolean =>
  sent === '*' || sent.some((tag) => tag.text === text)

type Precondition = 'if-match' | 'if-none-match' | 'if-unmodified-since'

/** As it is usually written: `If-None-Match`. */
const shown = (name: Precondition): string => name.split('-').map(capital).join('-')

const all: readonly Precondition[] = ['if-match', 'if-none-match', 'if-unmodified-since']

/**
 * Refuses a write under conditions that it would ignore.
 *
 * @param known those that it does not ignore. @default none
 * @throws HttpError 400
 */
export const assertNoOthers = (call: Call, known: readonly Precondition[] = []): void => {
  const other = all.find((name) => !known.includes(name) && call.header(name) !== undefined)
  if (other === undefined) return
  throw problem(
    'unsupported_header',
    `Send this request without ${shown(other)}, which would have no effect.`,
  )
}
