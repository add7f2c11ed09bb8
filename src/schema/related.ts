import { type JsonSchema, nullable } from '../model/codec.ts'
import type { Relation } from '../model/model.ts'
import { type Envelope, relatedSchema } from './envelope.ts'
import { type NamedSchema, propertiesOf } from './json-schema.ts'

/** A relation, with the schema of the records at its other end. */
export interface RelatedSchema {
  readonly relation: Relation
  /** Called when a document is made, because models may refer to each other. */
  readonly record: () => NamedSchema
}

/**
 * The schema of a record with what `include` adds. Related records have the schema of their own lists, which names no relations:
 * otherwise it would have no end.
 */
export const withRelated = (
  record: NamedSchema,
  name: string,
  related: readonly RelatedSchema[],
  envelope: Envelope,
): NamedSchema => {
  if (related.length === 0) return record
  const many = related.filter(({ relation }) => relation.kind === 'to-many')
  const list = { name: RELATED_LIST, schema: relatedSchema(envelope) }
  return Object.freeze({
    name,
    get schema(): JsonSchema {
      return {
        ...record.schema,
        properties: {
          ...propertiesOf(record.schema),
          ...Object.fromEntries(related.map((each) => [each.relation.name, memberOf(each)])),
          ...(many.length > 0 && { _related: aboutRelated(many) }),
        },
      }
    },
    get uses(): readonly NamedSchema[] {
      const own = related.map(({ record: used }) => used())
      return [...(record.uses ?? []), ...own, ...(many.length > 0 ? [list] : [])]
    },
  })
}

const refTo = ({ name }: Pick<NamedSchema, 'name'>): string => `#/components/schemas/${name}`

const memberOf = ({ relation: { kind }, record }: RelatedSchema): JsonSchema => {
  const one = { $ref: refTo(record()) }
  return kind === 'to-one'
    ? { ...nullable(one), description: `With \`include\`: the related record, or null.` }
    : { type: 'array', items: one, description: 'With `include`: the related records.' }
}

const aboutRelated = (many: readonly RelatedSchema[]): JsonSchema => ({
  type: 'object',
  description: 'With `include`: whether there are more related records than the response has.',
  properties: Object.fromEntries(
    many.map(({ relation }) => [relation.name, { $ref: refTo({ name: RELATED_LIST }) }]),
  ),
  additionalProperties: true,
})

const RELATED_LIST = 'RelatedRecords'
