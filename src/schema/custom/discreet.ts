import type { Issue } from '../../error/issue.ts'
import { isReadable, type Model } from '../../model/model.ts'

/** A message may hold what was sent, whole. */
const MAX_DETAIL = 300

/** More texts of secrets are not looked for, nor in a longer message: of it nothing is repeated then. */
const MAX_SECRETS = 100
const MAX_SEARCHED = 2000

/** Libraries repeat what was sent. What nobody may read (a password) is not repeated, and nothing at any length. */
export const discreet = (issues: readonly Issue[], body: object, model: Model): readonly Issue[] => {
  const secrets: string[] = []
  for (const text of secretsIn(body, model)) if (secrets.push(text) > MAX_SECRETS) break
  return issues.map((issue) => ({ ...issue, detail: detailOf(issue, secrets) }))
}

const detailOf = ({ detail }: Issue, secrets: readonly string[]): string => {
  const isSearchable = secrets.length <= MAX_SECRETS && detail.length <= MAX_SEARCHED
  if (secrets.length > 0 && !(isSearchable && secrets.every((secret) => !detail.includes(secret))))
    return 'The value is refused.'
  return detail.length > MAX_DETAIL ? `${detail.slice(0, MAX_DETAIL)}…` : detail
}

function* secretsIn(body: object, model: Model): Generator<string, void, undefined> {
  for (const field of model.fields)
    if (!isReadable(field) && Object.hasOwn(body, field.name)) yield* textsIn(Reflect.get(body, field.name))
}

/** As a message may have them: short ones in quotes alone, since every message holds an `a`. */
function* textsIn(value: unknown): Generator<string, void, undefined> {
  if (value === null || value === '') return
  if (typeof value === 'object') for (const inner of Object.values(value)) yield* textsIn(inner)
  else {
    const text = String(value)
    yield `"${text}"`
    yield JSON.stringify(text)
    if (text.length > 3) yield text
  }
}
