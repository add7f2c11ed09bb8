import { suggest } from '../error/start-error.ts'
import type { Condition } from './ast.ts'
import type { Ends } from './ends.ts'
import { containsUnits, countCondition, countContains, type FilterContext } from './filter-context.ts'
import { operators } from './operators.ts'
import { parameterNames } from './parameters.ts'
import { refuse, shown } from './refuse.ts'
import type { Scanner } from './scanner.ts'
import { assertTakes } from './takes.ts'
import { readValue, readWritten } from './value.ts'

/** Reads `field`, operator and value. @throws HttpError 400 that names the field */
export const readCondition = (scanner: Scanner, ends: Ends, context: FilterContext): Condition => {
  countCondition(context)
  const name = scanner.until(ends.name)
  const operator = operators.find(({ sign }) => scanner.skip(sign))
  if (operator === undefined) throw noOperator(name, scanner, context)
  const target = context.fields.byName.get(name)
  if (target === undefined) throw unknownField(name, context)
  const asked = { target, operator, parameter: context.parameter }
  const written = readWritten(scanner, ends, asked)
  assertTakes(asked, written)
  const condition = operator.meaning(
    target,
    written.map((each) => readValue(each, asked)),
  )
  if (condition.op === 'contains')
    countContains(context.tally, containsUnits(String(condition.value)), context.rules, context.parameter)
  return condition
}

const noOperator = (name: string, scanner: Scanner, { parameter }: FilterContext): Error => {
  const isMissing = name === '' && !scanner.isAt('!')
  const what = isMissing ? 'A condition is missing' : `${shown(name)} is no condition`
  const signs = operators.map(({ sign }) => sign).join(' ')
  return refuse('malformed_query', parameter, `${what}: write a field, one of ${signs}, and a value.`)
}

const unknownField = (name: string, { parameter, isSegment, fields, rules }: FilterContext): Error => {
  const what = isSegment
    ? `${shown(name)} is neither a field nor a parameter`
    : `There is no field ${shown(name)}`
  const allowed = isSegment ? [...fields.names, ...parameterNames[rules.paging]] : fields.names
  return refuse('unknown_field', parameter, `${what}.${suggest(name.slice(0, 60), allowed)}`)
}
