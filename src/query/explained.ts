import type { Model } from '../model/model.ts'
import { quoted } from '../model/naming.ts'
import { type QueryField, queryFields, takesText } from './fields.ts'
import { operators } from './operators.ts'

/** Operators that mean the same. */
interface Operators {
  readonly signs: readonly string[]
  /** What `=` means, which depends on the kind. @default what every operator says */
  readonly meaning?: 'contains' | 'equals' | 'some element equals'
}

/** How fields may be compared, which follows from their kind. */
interface Comparability {
  readonly name: 'inexact' | 'text' | 'textKeys' | 'ordered' | 'exact' | 'json' | 'arrays' | 'null'
  readonly label: string
  /** The kinds of most of its fields. */
  readonly kinds: string
  readonly operators: readonly Operators[]
  /** Those of values inside. @default there are none inside */
  readonly inside?: readonly Operators[]
  readonly has: (field: QueryField) => boolean
}

/** An operator of a group of fields, and what it means where that depends on the kind. */
export interface OperatorMeaning {
  readonly sign: string
  readonly meaning?: string
}

/** The operators of text that all fields of a group take. */
const ofText = (fields: readonly QueryField[]): readonly OperatorMeaning[] =>
  operators.flatMap(({ sign, text }) =>
    text !== undefined && fields.every((field) => takesText(field, text.op))
      ? [{ sign, meaning: text.meaning }]
      : [],
  )

/** The operators of a group of fields. */
export const operatorList = (
  { operators: ofAll }: Comparability,
  fields: readonly QueryField[],
): readonly OperatorMeaning[] => [
  ...ofText(fields),
  ...ofAll.flatMap(({ signs, meaning }) => signs.map((sign) => ({ sign, ...(meaning && { meaning }) }))),
]

/** The same in CommonMark. */
export const operatorsOf = (
  { operators: ofAll, inside }: Comparability,
  fields: readonly QueryField[],
): string => {
  const own = [...ofText(fields).map(({ sign, meaning }) => `\`${sign}\` (${meaning})`), written(ofAll)].join(
    ', ',
  )
  return inside === undefined ? own : `${own}; inside also ${written(inside)}`
}

const written = (all: readonly Operators[]): string =>
  all
    .map(({ signs, meaning }) =>
      meaning === undefined
        ? quoted(signs)
        : `${signs.map((sign) => `\`${sign}\``).join(' and ')} (${meaning})`,
    )
    .join(', ')

const contains: Operators = { signs: ['='], meaning: 'contains' }
const equals: Operators = { signs: ['=', '=='], meaning: 'equals' }
const order: Operators = { signs: ['>', '>=', '<', '<='] }
const differs: Operators = { signs: ['!='] }
const isExactly: Operators = { signs: ['==', '!='] }
const isNull: Operators = { signs: ['=null', '!=null'] }

/** The first that has a field is the one of that field. */
export const comparabilities: readonly Comparability[] = Object.freeze<Comparability[]>([
  {
    ...{ name: 'inexact', label: 'Inexact', kinds: 'strings that the database does not compare exactly' },
    operators: [contains, order, { signs: ['==null', '!=null'] }],
    has: ({ field }) => field.conditions === 'inexact',
  },
  {
    ...{ name: 'text', label: 'Text', kinds: 'strings that are not keys' },
    operators: [contains, isExactly, order],
    has: ({ contains }) => contains,
  },
  {
    ...{ name: 'textKeys', label: 'Text keys', kinds: 'strings that are keys' },
    operators: [equals, differs, order],
    has: ({ row }) => row.textual,
  },
  {
    ...{ name: 'ordered', label: 'Ordered', kinds: 'numbers, decimals, dates and times' },
    operators: [equals, differs, order],
    has: ({ row }) => row.ordered,
  },
  {
    ...{ name: 'exact', label: 'Exact', kinds: 'booleans, enums and UUIDs' },
    operators: [equals, differs],
    has: ({ row }) => row.comparable,
  },
  {
    ...{ name: 'json', label: 'JSON' },
    kinds: 'JSON with values that can be reached by a path, such as `meta.size`',
    operators: [isNull],
    inside: [contains, isExactly, order],
    has: ({ field }) => field.jsonPaths === true,
  },
  {
    ...{ name: 'arrays', label: 'Arrays', kinds: 'arrays whose elements the database finds' },
    operators: [{ signs: ['='], meaning: 'some element equals' }, isNull],
    has: ({ field }) => field.comparesElements === true,
  },
  {
    ...{ name: 'null', label: 'Null', kinds: 'files, and other JSON and arrays' },
    operators: [isNull],
    has: () => true,
  },
])

/** The readable fields of models, by what they can be compared with. Those without a field are left out. */
export const fieldsByComparability = (
  ...models: readonly Model[]
): readonly (readonly [comparability: Comparability, fields: readonly QueryField[]])[] => {
  const all = models.flatMap((model) => [...queryFields(model).byName.values()])
  const groups = Map.groupBy(all, (field) => comparabilities.find(({ has }) => has(field)))
  return comparabilities.flatMap((comparability) => {
    const fields = groups.get(comparability) ?? []
    return fields.length === 0 ? [] : [[comparability, fields] as const]
  })
}

/** A condition, and which records meet it. */
interface ConditionForm {
  readonly condition: string
  readonly meaning: string
  /** Only for models with relations. */
  readonly isRelated?: true
  /** Only where text has this operator. */
  readonly sign?: '^=' | '~='
  /** Only for models with JSON inside which conditions can look. */
  readonly isJson?: true
}

/** The forms of conditions that docs/queries.md explains, shortened to what a client needs first. */
export const conditionForms: readonly ConditionForm[] = Object.freeze<ConditionForm[]>([
  { condition: 'name=lamp', meaning: 'text: contains the value, ignoring case' },
  { condition: 'name^=Desk', meaning: 'text: starts with the value, in the same case', sign: '^=' },
  { condition: 'name~=desk lamp', meaning: 'text: equals the value, ignoring case', sign: '~=' },
  { condition: 'price=9.9', meaning: 'any other kind: equals the value' },
  { condition: 'name==Table', meaning: 'equals; text is compared byte for byte' },
  { condition: 'id==1,3,5', meaning: 'equals one of the values' },
  { condition: 'status!=live', meaning: 'does not equal' },
  { condition: 'status!=live,draft', meaning: 'does not equal any value of a list' },
  {
    condition: 'price>12.5',
    meaning: 'is greater than; `>=`, `<` and `<=` work too, for numbers, decimals, dates, times and text',
  },
  { condition: 'note=null', meaning: 'is null' },
  { condition: 'note!=null', meaning: 'is not null' },
  { condition: '(price<10|price>200)&in_stock=true', meaning: 'a group and a condition' },
  { condition: '!(status=live|in_stock=true)', meaning: 'neither condition' },
  { condition: 'attributes.color==red', meaning: 'inside JSON: the text at the path equals', isJson: true },
  {
    condition: 'attributes.sizes.0>10',
    meaning: 'a number in the first place of an array is greater',
    isJson: true,
  },
  { condition: 'maker.name=lum', meaning: 'the maker meets the condition', isRelated: true },
  { condition: 'reviews.stars>4', meaning: 'at least one review', isRelated: true },
])
