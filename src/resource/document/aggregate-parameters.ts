import type { Parameter } from '../../operation/operation.ts'
import { functionsIn } from '../../query/aggregate.ts'
import type { Rules } from '../parts/resource.ts'
import { conditionParameters, integer, query, text } from './list-parameters.ts'

/** The query parameters of an aggregation. */
export const aggregateParameters = (rules: Rules): readonly Parameter[] => {
  const { dateParts, having } = rules
  return [
    text(
      'group',
      dateParts
        ? 'Fields to group by, separated by commas, or parts of dates: `month(field)`.'
        : 'Fields to group by, separated by commas.',
    ),
    {
      ...text(
        'aggregate',
        `Functions of each group, separated by commas: \`count\`, ${functionsIn(rules)
          .map((fn) => `\`${fn}(field)\``)
          .join(', ')}.`,
      ),
      'x-placeholder': 'count',
    },
    ...conditionParameters(rules),
    ...(having
      ? [
          {
            ...text('having', 'Conditions on the columns of the result, in the form of `q`.'),
            'x-placeholder': 'count>1',
          },
        ]
      : []),
    query('sort', 'Column of the result to sort by. Repeat `sort` to add more.', {
      type: 'array',
      items: { type: 'string' },
    }),
    query('order', 'Direction of the `sort` at the same position. Default: `asc`.', {
      type: 'array',
      items: { type: 'string', enum: ['asc', 'desc'] },
    }),
    integer('limit', 'How many groups to return.', { minimum: 1, maximum: 1000 }),
    ...(dateParts
      ? [
          text(
            'timezone',
            'The IANA time zone of parts of date-times, such as `Europe/Berlin`. Default: `UTC`.',
          ),
        ]
      : []),
  ]
}
