import type { TableFacts } from '../../src/model/facts.ts'
import { fieldOf, type Model } from '../../src/model/model.ts'
import { onceFor } from '../../src/model/objects.ts'
import { describeModels } from '../../src/model/setup/describe.ts'
import { usableRelations } from '../../src/model/usable-relations.ts'
import type { Evaluation, RelatedRow } from '../../src/query/evaluate.ts'
import type { ListRules } from '../../src/query/settings.ts'
import { rules } from './sample.ts'

type Row = Readonly<Record<string, unknown>>

const id = { name: 'id', kind: 'integer', hasDefault: true } as const
const number = (name: string) => ({ name, kind: 'integer', nullable: true }) as const
const text = (name: string) => ({ name, kind: 'text', nullable: true }) as const

const tables: readonly TableFacts[] = [
  {
    name: 'Order',
    fields: [
      ...[id, text('title'), number('customer_id'), number('parent_id'), text('line_region')],
      ...[number('line_number'), text('secret'), number('audit_id')],
      { name: 'total', kind: 'decimal', precision: 8, scale: 2, nullable: true },
      { name: 'placed', kind: 'datetime', nullable: true },
      // Names that a relation or a parameter has too.
      ...[text('customer.name'), text('sort'), text('group(1')],
    ],
    primaryKey: ['id'],
    foreignKeys: [
      { fields: ['customer_id'], model: 'Customer', references: ['id'] },
      { fields: ['parent_id'], model: 'Order', references: ['id'], inverse: 'children' },
      { fields: ['line_region', 'line_number'], model: 'Line', references: ['region', 'number'] },
      { fields: ['audit_id'], model: 'Audit', references: ['id'] },
    ],
  },
  {
    name: 'Customer',
    fields: [id, text('name'), number('age'), text('secret'), { name: 'data', kind: 'json', nullable: true }],
    primaryKey: ['id'],
  },
  {
    name: 'Item',
    fields: [
      ...[id, number('order_id'), number('price'), number('quantity'), number('product_id'), text('limit')],
      ...[text('order'), text('a;b')],
    ],
    primaryKey: ['id'],
    foreignKeys: [
      { fields: ['order_id'], model: 'Order', references: ['id'], name: 'of', inverse: 'items' },
      { fields: ['product_id'], model: 'Product', references: ['id'], inverse: 'items' },
    ],
  },
  { name: 'Product', fields: [id, text('name'), text('secret')], primaryKey: ['id'] },
  {
    name: 'Line',
    fields: [{ name: 'region', kind: 'text' }, { name: 'number', kind: 'integer' }, text('name')],
    primaryKey: ['region', 'number'],
  },
  { name: 'Tag', fields: [id, text('name')], primaryKey: ['id'] },
  {
    name: 'OrderTag',
    fields: [{ name: 'order_id', kind: 'integer' }, { name: 'tag_id', kind: 'integer' }, number('rank')],
    primaryKey: ['order_id', 'tag_id'],
    foreignKeys: [
      { fields: ['order_id'], model: 'Order', references: ['id'] },
      { fields: ['tag_id'], model: 'Tag', references: ['id'] },
    ],
  },
  { name: 'Audit', fields: [id, text('name')], primaryKey: ['id'] },
]

const all = describeModels(tables, { exactText: true, literalContains: true, databaseDefaults: true }).map(
  (model): Model => ({
    ...model,
    fields: model.fields.map((field) => (field.name === 'secret' ? { ...field, access: 'hidden' } : field)),
  }),
)

const served = new Map(all.filter(({ name }) => name !== 'Audit').map((model) => [model.name, model]))

export const modelOf = (name: string): Model => {
  const model = all.find((known) => known.name === name)
  if (model === undefined) throw new Error(name)
  return model
}

/** Rules of lists of a model of a graph: orders with a customer, items of products, children, tags and a line. */
export const rulesOf = (name: string, more: Partial<ListRules> = {}): ListRules => ({
  ...rules,
  model: modelOf(name),
  modelOf,
  relationsOf: onceFor(
    (model: Model) =>
      new Map(
        usableRelations(model, (other) => served.get(other)).map((relation) => [
          relation.name,
          { relation, target: modelOf(relation.model) },
        ]),
      ),
  ),
  ...more,
})

/** Records of the graph, by the name of the model. */
export type Records = Readonly<Record<string, readonly Row[]>>

const matching = (rows: readonly Row[], fields: readonly string[], values: readonly unknown[]) =>
  values.includes(null) ? [] : rows.filter((row) => fields.every((name, at) => row[name] === values[at]))

/** Evaluates conditions on records that are all in memory. */
export const evaluationOf = (name: string, records: Records): Evaluation => {
  const model = modelOf(name)
  const valuesOf = (row: Row, names: readonly string[]) => names.map((field) => row[field] ?? null)
  return {
    model,
    related: (row, relationName): readonly RelatedRow[] => {
      const relation = model.relations.find((known) => known.name === relationName)
      if (relation === undefined) throw new Error(relationName)
      const { model: target, fields, references, through } = relation
      const by = evaluationOf(target, records)
      const at = (values: readonly unknown[]) => matching(records[target] ?? [], references, values)
      if (through === undefined) return at(valuesOf(row, fields)).map((found) => ({ row: found, by }))
      return matching(records[through.model] ?? [], through.fields, valuesOf(row, fields)).flatMap((link) =>
        at(valuesOf(link, through.references)).map((found) => ({
          ...{ row: found, by },
          link: { row: link, by: evaluationOf(through.model, records) },
        })),
      )
    },
  }
}

export const fieldIn = (model: string, name: string) => fieldOf(modelOf(model), name)
