import { newRecord, parsed, references, sent, withoutKey } from './bodies.ts'
import { type Given, isOneOfMany, type Json, openRelations } from './given.ts'
import type { Requests } from './reads.ts'

/** Writes of a record with its related records. */
export const together = (given: Given, givenOf: (model: string) => Given): Requests => {
  const { model, own, ids } = given
  const [first] = own
  const path = `/${model.path}/`
  const many = openRelations(model).filter(
    (relation) => relation.kind === 'to-many' && !isOneOfMany(relation.name),
  )
  if (first === undefined || many.length === 0) return {}
  const base = newRecord(given)
  const each = many.flatMap(
    (relation): readonly (readonly [create: unknown, patch: unknown, put: unknown])[] => {
      const { name } = relation
      const child = givenOf(relation.model)
      const key = (id: string): unknown => {
        const values = Object.values(parsed(child.model, id))
        return values.length === 1 ? values[0] : values
      }
      const others = child.ids.others
      if (relation.through !== undefined) {
        const sets = [
          [],
          child.ids.own.slice(-1),
          ...others.map((id) => [...child.ids.own.slice(0, 1), id]),
        ].map((set) => ({ [name]: set.map(key) }))
        return sets.map((set) => [set, set, set])
      }
      const without = (body: Json): Json =>
        Object.fromEntries(Object.entries(body).filter(([field]) => !relation.references.includes(field)))
      const fresh = without(newRecord(child))
      const bound = references(child)
        .map(({ values }) => without(values))
        .filter((values) => Object.keys(values).length > 0)
      const keyed = (id: string): Json => without(parsed(child.model, id))
      return [
        [{ [name]: [fresh] }, { [name]: { create: [fresh] } }, { [name]: [] }],
        ...bound.map((values) => {
          const one = { ...fresh, ...values }
          return [{ [name]: [one] }, { [name]: { create: [one] } }, { [name]: [one] }] as const
        }),
        ...[...child.ids.own.slice(0, 1), ...others].map((id) => {
          const one = { ...fresh, ...keyed(id) }
          return [
            { [name]: [one] },
            { [name]: { update: [{ ...keyed(id), ...bound[0] }], delete: [] } },
            { [name]: [one] },
          ] as const
        }),
        ...[...child.ids.own.slice(0, 1), ...others].map((id) => {
          const values = Object.values(keyed(id))
          const one = { [name]: { delete: [values.length === 1 ? values[0] : values] } }
          return [undefined, one, undefined] as const
        }),
      ]
    },
  )
  const [target] = ids.own
  const whole = withoutKey(first, model)
  return {
    'creates with related records': each
      .filter(([body]) => body !== undefined)
      .map(([body]) => sent('POST', path, { ...base, ...(body as Json) })),
    'updates with related records': [
      ...each.map(([, body]) => sent('PATCH', `${path}${target}`, body)),
      ...ids.others
        .slice(0, 4)
        .flatMap((id) => each.slice(0, 2).map(([, body]) => sent('PATCH', `${path}${id}`, body))),
    ],
    'replaces with related records': each
      .filter(([, , body]) => body !== undefined)
      .map(([, , body]) => sent('PUT', `${path}${target}`, { ...whole, ...(body as Json) })),
  }
}
