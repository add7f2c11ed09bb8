import type { Issue } from '../../error/http-error.ts'
import { isReadable, type Model } from '../../model/model.ts'

/** A message may hold what was sent, whole. */
const MAX_DETAIL = 300

/** Libraries repeat what was sent. What nobody may read (a password) is not repeated, and nothing at any length. */
export const discreet = (issues: readonly Issue[], body: object, model: Model): readonly Issue[] => {
  const secrets = model.fields
    .filter((field) => !isReadable(field) && Object.hasOwn(body, field.name))
    .flatMap(({ name }) => textsIn(Reflect.get(body, name)))
  return issues.map((issue) => ({ ...issue, detail: detailOf(issue, secrets) }))
}

const detailOf = ({ detail }: Issue, secrets: readonly string[]): string => {
  if (secrets.some((secret) => detail.includes(secret))) return 'The value is refused.'
  return detail.length > MAX_DETAIL ? `${detail.slice(0, MAX_DETAIL)}…` : detail
}

/** As a message may have them: short ones in quotes alone, since every message holds an `a`. */
const textsIn = (value: unknown): readonly string[] => {
  if (value === null || value === '') return []
  if (typeof value === 'object') return Object.values(value).flatMap(textsIn)
  const text = String(value)
  return [`"${text}"`, JSON.stringify(text), ...(text.length > 3 ? [text] : [])]
}
