import { assertKnown, StartError } from '../error/errors.ts'
import type { JsonSchema } from '../model/codec.ts'
import { isPlainObject, ownValue } from '../model/objects.ts'
import { type PaginationType, paginationTypes } from '../model/pagination.ts'

/** A new name for each member of list responses, or `false` to leave it out. See docs/list-responses.md. */
export interface EnvelopeOptions {
  /** The records. @default 'items' */
  readonly items?: string
  /** The number of matching records on all pages. With `false`, and without `page_count`, lists are not counted. @default 'count' */
  readonly count?: string | false
  /** Whether `count` is exact. @default 'count_exact' */
  readonly count_exact?: string | false
  /** With cursor pages: the cursor of the next page. @default 'next' */
  readonly next?: string
  /** The number of the page, from 1. Cursor pages do not have it. @default false */
  readonly page?: string | false
  /** The largest number of records on the page. @default false */
  readonly page_size?: string | false
  /** The number of pages. Cursor pages do not have it. @default false */
  readonly page_count?: string | false
}

type Member = keyof EnvelopeOptions

/** The names of the members that list responses have. */
export type Envelope = Readonly<Record<'items' | 'next', string> & Partial<Record<Member, string>>>

/** The JSON of a list around its records. */
export interface PageShell {
  /** The name of the member that has them. */
  readonly items: string
  /** The members that follow. */
  readonly rest: object
}

/** A member beside the records. */
interface MemberRow {
  /** Its name, unless the application chooses another. */
  readonly usual: string | false
  /** Whether pages of this type have it. */
  readonly isOn: (type: PaginationType, envelope: Envelope) => boolean
  readonly schema: (envelope: Envelope, types: readonly PaginationType[]) => JsonSchema
}

/** Whether pages of this type show how many records match, in one of two members. */
const isCounted = (type: PaginationType, { count, page_count }: Envelope): boolean =>
  count !== undefined || (page_count !== undefined && isNumbered(type))

const always = (): boolean => true
const isCursor = (type: PaginationType): boolean => type === 'cursor'
const isNumbered = (type: PaginationType): boolean => !isCursor(type)

const rows: Readonly<Record<Exclude<Member, 'items'>, MemberRow>> = {
  count: {
    usual: 'count',
    isOn: always,
    schema: () => ({
      type: ['integer', 'null'],
      format: 'int64',
      description: 'The number of matching records on all pages. Null: not counted.',
    }),
  },
  count_exact: {
    usual: 'count_exact',
    isOn: isCounted,
    schema: ({ count, page_count }) => ({
      type: 'boolean',
      description: `Whether \`${count ?? page_count}\` is exact rather than estimated.`,
    }),
  },
  next: {
    usual: 'next',
    isOn: isCursor,
    schema: () => ({
      type: ['string', 'null'],
      description:
        'The `cursor` of the next page, for the same `q`, `search`, `sort` and `order`. Null: this is the last page.',
    }),
  },
  page: {
    usual: false,
    isOn: isNumbered,
    schema: (_envelope, types) => {
      const mayBeNull = types.includes('limit-offset')
      return {
        type: mayBeNull ? ['integer', 'null'] : 'integer',
        format: 'int64',
        description: `The number of the page, from 1.${mayBeNull ? ' Null: the request asked for no records.' : ''}`,
      }
    },
  },
  page_size: {
    usual: false,
    isOn: always,
    schema: () => ({ type: 'integer', description: 'The largest number of records on the page.' }),
  },
  page_count: {
    usual: false,
    isOn: isNumbered,
    schema: () => ({
      type: ['integer', 'null'],
      format: 'int64',
      description:
        'The number of pages. Null: the records were not counted, or the request asked for no records.',
    }),
  },
}

const usualNames: readonly (readonly [member: string, usual: string | false])[] = [
  ['items', 'items'],
  ...Object.entries(rows).map(([member, { usual }]) => [member, usual] as const),
]

const names = usualNames.map(([member]) => member)

/** Members that clients cannot do without. */
const needed: ReadonlySet<string> = new Set<Member>(['items', 'next'])

/** Members for which lists are counted. */
const counts: ReadonlySet<string> = new Set<Member>(['count', 'page_count'])

/** A member of aggregates and of included relations, which keeps its name. */
const HAS_MORE = 'has_more'

/** Reads the option `envelope`. @throws StartError that names the member */
export const readEnvelope = (given: unknown = {}): Envelope => {
  if (!isPlainObject(given))
    throw new StartError(
      "The option envelope must be an object that maps members of lists to names, such as { items: 'data', count: 'total' }.",
    )
  for (const [member, name] of Object.entries(given)) assertMember(member, name)
  const all = usualNames.map(([member, usual]) => [member, ownValue(given, member) ?? usual] as const)
  const isAnyCounted = all.some(([member, name]) => counts.has(member) && name !== false)
  if (!isAnyCounted && typeof ownValue(given, 'count_exact') === 'string')
    throw new StartError(
      'envelope.count_exact needs count or page_count, which responses do not have. Set it to false.',
    )
  const shown = all.filter(([member, name]) => name !== false && (isAnyCounted || member !== 'count_exact'))
  assertDifferent([...shown, [HAS_MORE, HAS_MORE]])
  return Object.freeze(Object.fromEntries(shown)) as Envelope
}

const assertMember = (member: string, name: unknown): void => {
  assertKnown('envelope: unknown member', member, names)
  const isNeeded = needed.has(member)
  const isName = typeof name === 'string' && name.trim() !== ''
  if (isName || name === undefined || (name === false && !isNeeded)) return
  throw new StartError(`envelope.${member} must be a non-empty string${isNeeded ? '' : ', or false'}.`)
}

const assertDifferent = (all: readonly (readonly [member: string, name: unknown])[]): void => {
  const taken = new Map<unknown, string>()
  for (const [member, name] of all) {
    const other = taken.get(name)
    if (other !== undefined)
      throw new StartError(
        `envelope: ${other} and ${member} have the same name ${JSON.stringify(name)}. Choose another name.`,
      )
    taken.set(name, member)
  }
}

/** The lists whose pages show how many records match, by their types, and whether included relations do. */
export const countedBy = (envelope: Envelope): CountedPages => ({
  lists: paginationTypes.filter((type) => isCounted(type, envelope)),
  related: envelope.count !== undefined,
})

interface CountedPages {
  readonly lists: readonly PaginationType[]
  readonly related: boolean
}

/** The members that responses have beside the records. */
const membersBeside = (envelope: Envelope) =>
  Object.entries(rows).flatMap(([member, row]) => {
    const name = ownValue(envelope, member)
    return typeof name === 'string' ? [{ ...row, name }] : []
  })

/** The schema of a list. @param items the schema of its records @param types the types of pages that it has */
export const listSchema = (
  envelope: Envelope,
  items: JsonSchema,
  types: readonly PaginationType[],
): JsonSchema => {
  const having = ({ isOn }: MemberRow) => types.filter((type) => isOn(type, envelope))
  const members = membersBeside(envelope).filter((member) => having(member).length > 0)
  const isInAll = (member: MemberRow): boolean => having(member).length === types.length
  const schemaOf = (member: MemberRow): JsonSchema => {
    const { description, ...type } = member.schema(envelope, types)
    const only = isInAll(member) ? '' : ` Only with ${having(member).join(' and ')} pages.`
    return { ...type, description: `${description}${only}` }
  }
  return {
    type: 'object',
    required: [envelope.items, ...members.filter(isInAll).map(({ name }) => name)],
    properties: Object.fromEntries([
      [envelope.items, items],
      ...members.map((member) => [member.name, schemaOf(member)]),
    ]),
    additionalProperties: true,
  }
}

/** The schema of what a record says about a related list, which its own member has. */
export const relatedSchema = ({ count, count_exact: exact }: Envelope): JsonSchema => ({
  type: 'object',
  required: [HAS_MORE],
  properties: Object.fromEntries([
    [HAS_MORE, { type: 'boolean', description: 'Whether there are more related records.' }],
    ...(count === undefined
      ? []
      : [[count, { type: 'integer', format: 'int64', description: RELATED_COUNT }]]),
    ...(count === undefined || exact === undefined
      ? []
      : [[exact, { type: 'boolean', description: `Whether \`${count}\` is exact rather than estimated.` }]]),
  ]),
  additionalProperties: true,
})

const RELATED_COUNT = 'With `count=exact`: the number of related records that match.'

/** The JSON around the count in what a record says about a related list. */
export const aroundCount = ({
  count = '',
  count_exact: exact,
}: Envelope): readonly [before: string, after: string] => [
  `,${JSON.stringify(count)}:`,
  exact === undefined ? '' : `,${JSON.stringify(exact)}:true`,
]
