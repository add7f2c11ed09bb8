import type { IssueCode } from '../../error/codes.ts'
import { type Issue, MAX_ISSUES, pointerTo } from '../../error/issue.ts'
import { leadOf, type Sent, sentAt } from '../issues.ts'
import { codesByName, ownRules } from './issue-names.ts'
import { keysOf, type StandardIssue } from './standard-schema.ts'

/** What a schema found wrong, in our codes and its own words. */
export const standardIssues = (found: readonly StandardIssue[], body: unknown): readonly Issue[] =>
  found.slice(0, MAX_ISSUES).map((issue) => {
    const path = keysOf(issue)
    const code = codeOf(issue, sentAt(body, path), path)
    return { pointer: pointerTo(path), code, detail: leadOf(code, path) + issue.message }
  })

const codeOf = (issue: StandardIssue, sent: Sent, path: readonly PropertyKey[]): IssueCode => {
  const name = nameOf(issue)
  if (isStranger(issue)) return 'unknown_key'
  if (ownRules.has(name)) return 'invalid'
  if (path.length > 0 && !sent.there) return 'required'
  if (sent.there && sent.value === null) return 'not_nullable'
  const code = codesByName.get(name)
  if (code === 'not_in_enum' && sent.there && !isOfType(sent.value, issue)) return 'wrong_type'
  return code ?? (Reflect.get(issue, 'kind') === 'schema' ? 'wrong_type' : 'invalid')
}

/** Whether what was sent has the type of one of those that are allowed: texts, where the library does not name them. */
const isOfType = (sent: unknown, issue: StandardIssue): boolean => {
  const errors: unknown = Reflect.get(issue, 'errors')
  const units = (Array.isArray(errors) ? errors : [issue]).filter((part: object) => 'unit' in part)
  if (units.length === 0) return typeof sent === 'string'
  return units.some((part: object) => typeof Reflect.get(part, 'unit') === typeof sent)
}

/** ArkType has its name for what is wrong in `code`, Valibot in `type`, beside a `kind`. */
const nameOf = (issue: StandardIssue): string => {
  const name: unknown = Reflect.get(issue, 'kind' in issue ? 'type' : 'code')
  return typeof name === 'string' ? name : ''
}

/** How they say that a key should not be there. */
const isStranger = (issue: StandardIssue): boolean => {
  const expected: unknown = Reflect.get(issue, 'expected')
  return nameOf(issue) === 'strict_object' ? expected === 'never' : expected === 'removed'
}
