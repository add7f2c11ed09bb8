import { isReadable } from '../model/model.ts'
import type { Condition } from './ast.ts'
import { readCondition } from './condition.ts'
import type { FilterContext } from './filter-context.ts'
import { refuse } from './refuse.ts'
import type { ListRules } from './rules.ts'
import { Scanner } from './scanner.ts'

/** Reads the conditions of one query string; the bounds are for all of them together. */
export const conditionReader = (
  rules: ListRules,
): ((parameter: string, text: string, isList: boolean) => Condition) => {
  const { model } = rules
  let conditions = 0
  return (parameter, text, isList) => {
    const context: FilterContext = {
      parameter,
      rules,
      fieldNamed: (name) => {
        const field = model.fields.find((candidate) => candidate.name === name && isReadable(candidate))
        if (field !== undefined) return field
        const names = model.fields.filter(isReadable).map((known) => known.name)
        throw refuse(
          'unknown_field',
          parameter,
          `There is no field ${JSON.stringify(name)}. Fields: ${names.join(', ')}.`,
        )
      },
      isKey: ({ name }) =>
        model.primaryKey.includes(name) ||
        model.relations.some(({ kind, fields }) => kind === 'to-one' && fields.includes(name)),
      count: () => {
        conditions += 1
        if (conditions <= rules.maxConditions) return
        throw refuse('malformed_query', parameter, `There are more than ${rules.maxConditions} conditions.`)
      },
    }
    return readAll(new Scanner(text), isList ? '&' : '', context)
  }
}

/** Conditions joined by `&`, to the end of the text. */
const readAll = (scanner: Scanner, joint: string, context: FilterContext): Condition => {
  const conditions = [readItem(scanner, joint, context, 0)]
  while (!scanner.isAtEnd()) {
    if (joint === '' || !scanner.skip(joint)) throw unexpected(scanner, context)
    if (!scanner.isAtEnd() && !scanner.isAt(joint)) conditions.push(readItem(scanner, joint, context, 0))
  }
  const [first] = conditions
  return first !== undefined && conditions.length === 1 ? first : { op: 'and', conditions }
}

/** A group, the negation of one, or a condition whose value ends at one of `ends`. */
const readItem = (scanner: Scanner, ends: string, context: FilterContext, depth: number): Condition => {
  if (scanner.skip('!(')) return { op: 'not', condition: readGroup(scanner, context, depth + 1) }
  if (scanner.skip('(')) return readGroup(scanner, context, depth + 1)
  context.count()
  return readCondition(scanner, ends, context)
}

const GROUP_ENDS = '&|)'

/** What stands behind an opening parenthesis: `&` binds tighter than `|`. */
const readGroup = (scanner: Scanner, context: FilterContext, depth: number): Condition => {
  const { maxDepth } = context.rules
  if (depth > maxDepth) {
    throw refuse('malformed_query', context.parameter, `Groups are nested deeper than ${maxDepth} levels.`)
  }
  const alternatives: Condition[] = []
  do {
    const conditions: Condition[] = []
    do conditions.push(readItem(scanner, GROUP_ENDS, context, depth))
    while (scanner.skip('&'))
    alternatives.push(joined('and', conditions))
  } while (scanner.skip('|'))
  if (!scanner.skip(')')) throw unexpected(scanner, context)
  return joined('or', alternatives)
}

const joined = (op: 'and' | 'or', conditions: readonly Condition[]): Condition => {
  const [first] = conditions
  return first !== undefined && conditions.length === 1 ? first : { op, conditions }
}

const unexpected = (scanner: Scanner, { parameter }: FilterContext): Error =>
  refuse(
    'malformed_query',
    parameter,
    scanner.isAtEnd()
      ? 'A group has no closing parenthesis. An & inside of it must be percent-encoded as %26.'
      : `${JSON.stringify(scanner.rest(20))} is not expected here. Quote a value that holds &, | or ) in a group, or a comma in a list.`,
  )
