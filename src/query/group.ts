import type { Condition } from './ast.ts'
import { readCondition } from './condition.ts'
import { type Ends, inGroup } from './ends.ts'
import type { FilterContext } from './filter-context.ts'
import { refuse, shown } from './refuse.ts'
import type { Scanner } from './scanner.ts'

/** One condition, without a level, where there is but one. */
export const joined = (op: 'and' | 'or', conditions: readonly Condition[]): Condition => {
  const [first] = conditions
  return first !== undefined && conditions.length === 1
    ? first
    : Object.freeze({ op, conditions: Object.freeze(conditions) })
}

/**
 * A condition, a group, or the negation of a group: `(a=1|b>2)`, `!(a=1&b=2)`.
 *
 * A group begins only where a condition could, so that a parenthesis inside of a value is literal: `title=foo (bar)`.
 *
 * @param depth How many groups stand around this.
 */
export const readItem = (scanner: Scanner, ends: Ends, context: FilterContext, depth: number): Condition => {
  if (scanner.skip('(')) return readGroup(scanner, context, depth + 1)
  if (!scanner.skip('!')) return readCondition(scanner, ends, context)
  if (scanner.skip('(')) {
    return Object.freeze({ op: 'not', condition: readGroup(scanner, context, depth + 1) })
  }
  throw refuse(
    'malformed_query',
    context.parameter,
    `!${shown(scanner.rest())}: ! stands before a group, as !(a=1), or in the operator !=.`,
  )
}

/**
 * What stands behind an opening parenthesis. `&` binds tighter than `|`. Both, and `)`, end a value that is not quoted.
 *
 * It calls itself at most `maxDepth` times.
 */
const readGroup = (scanner: Scanner, context: FilterContext, depth: number): Condition => {
  const { parameter, rules } = context
  if (depth > rules.maxDepth) {
    throw refuse('malformed_query', parameter, `Groups may be nested at most ${rules.maxDepth} deep.`)
  }
  const alternatives: Condition[] = []
  do {
    const conditions: Condition[] = []
    do conditions.push(readItem(scanner, inGroup, context, depth))
    while (scanner.skip('&'))
    alternatives.push(joined('and', conditions))
  } while (scanner.skip('|'))
  if (scanner.skip(')')) return joined('or', alternatives)
  throw scanner.isAtEnd() ? unclosed(parameter) : behindGroup(scanner, parameter)
}

const unclosed = (parameter: string): Error =>
  refuse(
    'malformed_query',
    parameter,
    'A group has no closing parenthesis. A & typed as it is ends the parameter: inside of a group, write %26.',
  )

const behindGroup = (scanner: Scanner, parameter: string): Error =>
  refuse(
    'malformed_query',
    parameter,
    `${shown(scanner.rest())} follows a group inside of another. Expected one of & | ).`,
  )
