import { kinds } from '../../src/model/kinds/index.ts'
import { type Field, fieldOf, type Model } from '../../src/model/model.ts'
import type { Comparison, Condition } from '../../src/query/ast.ts'
import type { JsonScalar, JsonStep } from '../../src/query/json-path.ts'

/** Where a condition stands: a segment of its own, one of several in `q`, in a group, or in an option of `include`. */
export type Place = 'segment' | 'q' | 'group' | 'option'

const signs: Readonly<Record<Comparison, string>> = {
  eq: '==',
  ne: '!=',
  gt: '>',
  ge: '>=',
  lt: '<',
  le: '<=',
  contains: '=',
  'starts-with': '^=',
  'equals-ignoring-case': '~=',
}

const endings: Readonly<Record<Place, RegExp>> = { segment: /(?!)/, q: /&/, group: /[&|)]/, option: /[&;)]/ }

/** What a value may be written as beside its plain form. */
export interface Style {
  /** In quotes although it need not be. */
  readonly quoted?: boolean
  /** Another text of the same value. */
  readonly rewrite?: (text: string, field: Field) => string
  /** A condition on a related record as `customer.age=5` where it can be, not as `customer(age=5)`. */
  readonly dotted?: boolean
  /** The other models, for conditions on related records. */
  readonly modelOf?: (name: string) => Model
}

/** A value as text, in quotes only where it would be read as something else, or where the style asks for them. */
const printValue = (
  value: unknown,
  name: string,
  model: Model,
  sign: string,
  place: Place,
  { quoted = false, rewrite = asItIs }: Style,
): string => {
  const field = fieldOf(model, name)
  const text = rewrite(String(kinds[field.kind].write(value, field)), field)
  const isList = sign === '==' || sign === '!='
  const isLiteral =
    text !== 'null' &&
    !text.startsWith('"') &&
    !endings[place].test(text) &&
    // Another condition, or what looks like one.
    !/\|.*[=!<>]/s.test(text) &&
    (isList ? !text.includes(',') : text !== '' && !text.startsWith('='))
  return isLiteral && !quoted ? text : quotedText(text)
}

const asItIs = (text: string): string => text

/** A condition in the language of `q`. */
export const printCondition = (
  condition: Condition,
  model: Model,
  place: Place = 'q',
  style: Style = {},
): string => {
  const inGroup = (inner: Condition) => printCondition(inner, model, 'group', style)
  switch (condition.op) {
    case 'and':
      return place === 'q' || place === 'option'
        ? condition.conditions
            .map((inner) =>
              inner.op === 'and' ? `(${inGroup(inner)})` : printCondition(inner, model, place, style),
            )
            .join('&')
        : `(${condition.conditions.map(inGroup).join('&')})`
    case 'or':
      return `(${condition.conditions.map(inGroup).join('|')})`
    case 'not':
      return `!(${inGroup(condition.condition)})`
    case 'is-null':
      return `${condition.field}=null`
    case 'is-not-null':
      return `${condition.field}!=null`
    case 'in': {
      const { field, values } = condition
      return `${field}==${values.map((value) => printValue(value, field, model, '==', place, style)).join(',')}`
    }
    case 'related': {
      const { relation, condition: inner } = condition
      if (isEverything(inner)) return `${relation}!=null`
      const target = targetOf(relation, model, style)
      const dotted = `${relation}.${printCondition(inner, target, place, style)}`
      return style.dotted === true && canBeDotted(inner) && !startsWithField(dotted, model)
        ? dotted
        : `${relation}(${printCondition(inner, target, 'group', style)})`
    }
    case 'has-element': {
      const { element } = fieldOf(model, condition.field)
      const text = String(condition.value)
      if (element?.kind !== 'text') throw new Error(`The tests print no elements of ${condition.field}.`)
      return `${condition.field}=${quotedText(text)}`
    }
    case 'json-null':
      return `${insideOf(condition)}=null`
    case 'json': {
      const { is, value } = condition
      const sign = is === 'matches' ? '=' : signs[is]
      return insideOf(condition) + sign + printScalar(value, style)
    }
    case 'tie':
      throw new Error(`No client can ask for the condition ${condition.op}.`)
    default: {
      const { op, field, value } = condition
      return `${field}${signs[op]}${printValue(value, field, model, signs[op], place, style)}`
    }
  }
}

const insideOf = ({ field, path }: { readonly field: string; readonly path: readonly JsonStep[] }): string =>
  [field, ...path.map((step) => (isPlain(step) ? step : JSON.stringify(step)))].join('.')

/** Neither a place in an array, nor with a character that ends a name. */
const isPlain = (step: JsonStep): boolean => typeof step === 'number' || /^[a-z][a-z0-9_ $']*$/i.test(step)

/** Text that would be another value needs quotes. */
const printScalar = (value: JsonScalar, { quoted = false }: Style): string => {
  if (typeof value !== 'string') return JSON.stringify(value)
  const isLiteral = /^[a-z][a-z ]*$/i.test(value) && !['null', 'true', 'false'].includes(value)
  return isLiteral && !quoted ? value : quotedText(value)
}

const quotedText = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

const isEverything = (condition: Condition): boolean =>
  condition.op === 'and' && condition.conditions.length === 0

const targetOf = (relation: string, { relations }: Model, { modelOf }: Style): Model => {
  const found = relations.find(({ name }) => name === relation)
  if (found === undefined || modelOf === undefined) throw new Error(relation)
  return modelOf(found.model)
}

const canBeDotted = ({ op }: Condition): boolean => op !== 'and' && op !== 'or' && op !== 'not'

/** A field precedes relations. */
const startsWithField = (text: string, { fields }: Model): boolean =>
  fields.some(({ name }) => name.includes('.') && text.startsWith(name))
