import type { Field } from '../../../../src/model/model.ts'
import { keyOf, newRecord, parsed, references, sent, withoutKey, writable } from './bodies.ts'
import { type Given, isOneOfMany, type Json, openRelations } from './given.ts'
import type { Requests } from './reads.ts'
import { together } from './together.ts'

export const writesOf = (given: Given, givenOf: (model: string) => Given): Requests => {
  const { model, own, ids } = given
  const path = `/${model.path}/`
  const base = newRecord(given)
  const bound = references(given)
  const ofTenants = model.fields.some(({ name }) => name === 'tenantId')
    ? [{ tenantId: 1 }, { tenantId: 2 }, { tenantId: 0 }]
    : []
  const isKey = ({ name }: Field) => model.primaryKey.includes(name)
  const plain = writable(model).filter(
    (field) =>
      !isKey(field) &&
      !model.uniques.some((unique) => unique.includes(field.name)) &&
      field.name !== 'tenantId',
  )
  const changes: readonly Json[] = [
    {},
    ...plain.flatMap(({ name }) =>
      [...own.slice(-1), ...own.slice(0, 1)].map((record) => ({ [name]: record[name] })),
    ),
    ...bound.map(({ values }) => values),
    ...ofTenants,
  ]
  const [first, second = first] = own
  const [target] = ids.own
  const change = plain.map(({ name }) => ({ [name]: second?.[name] }))[0] ?? {}
  const condition = (key: Json): string =>
    Object.entries(key)
      .map(([name, value]) => `${name}==${value}`)
      .join('&')
  const key = model.primaryKey[0] ?? ''
  const filters = [
    ...ids.others.map((id) => condition(parsed(model, id))),
    ...(ofTenants.length > 0 ? ['tenantId==2', 'tenantId!=1', 'tenantId==0'] : []),
    ...openRelations(model)
      .filter(
        (relation) =>
          !isOneOfMany(relation.name) &&
          givenOf(relation.model).model.fields.some(({ name }) => name === 'tenantId'),
      )
      .map(({ name }) => `${name}.tenantId==2`),
    `${key}!=null`,
  ]
  const below = openRelations(model).filter(
    (relation) => relation.kind === 'to-many' && !isOneOfMany(relation.name) && !relation.through,
  )
  return {
    creates: [
      ...[{}, ...bound.map(({ values }) => values), ...ofTenants].map((values) =>
        sent('POST', path, { ...base, ...values }),
      ),
      ...own.slice(0, 1).map((record) => sent('POST', path, withoutKey(record, model))),
    ],
    'creates below a record': below.flatMap((relation) => {
      const child = givenOf(relation.model)
      const fresh = Object.fromEntries(
        Object.entries(newRecord(child)).filter(([name]) => !relation.references.includes(name)),
      )
      return [
        ...[...ids.own.slice(0, 2), ...ids.others].map((id) =>
          sent('POST', `${path}${id}/${relation.name}/`, fresh),
        ),
        ...references(child).map(({ values }) =>
          sent('POST', `${path}${target}/${relation.name}/`, { ...fresh, ...values }),
        ),
      ]
    }),
    updates: [
      ...changes.map((body) => sent('PATCH', `${path}${target}`, body)),
      ...ids.others.flatMap((id) =>
        [
          {},
          change,
          ...bound.filter(({ isOwn }) => isOwn).map(({ values }) => values),
          ...ofTenants.slice(0, 1),
        ].map((body) => sent('PATCH', `${path}${id}`, body)),
      ),
    ],
    replaces: [
      ...own.map((record, at) => sent('PUT', `${path}${ids.own[at]}`, record)),
      ...changes.map((values) =>
        sent('PUT', `${path}${target}`, { ...withoutKey(first ?? {}, model), ...values }),
      ),
      ...ids.others.map((id) => sent('PUT', `${path}${id}`, withoutKey(first ?? {}, model))),
    ],
    deletes: [...ids.own, ...ids.others].map((id) => sent('DELETE', `${path}${id}`)),
    'creates of many': [
      sent('POST', path, [base]),
      ...bound.map(({ values }) => sent('POST', path, [base, { ...base, ...values }])),
      ...ofTenants.map((values) => sent('POST', path, [{ ...base, ...values }])),
    ],
    'updates of many': [
      ...[...ids.own.slice(0, 1), ...ids.others].map((id) =>
        sent('PATCH', path, [
          ...(id === target ? [] : [{ ...keyOf(model, first ?? {}), ...change }]),
          { ...parsed(model, id), ...change },
        ]),
      ),
      ...bound.map(({ values }) => sent('PATCH', path, [{ ...keyOf(model, first ?? {}), ...values }])),
      ...filters.flatMap((filter, at) => [
        sent('PATCH', `${path}?${filter}`, change),
        ...(at % 2 === 0
          ? bound.slice(-1).map(({ values }) => sent('PATCH', `${path}?${filter}`, values))
          : []),
      ]),
    ],
    'deletes of many': filters.flatMap((filter) => [
      sent('DELETE', `${path}?${filter}&dry_run=true`),
      sent('DELETE', `${path}?${filter}`),
    ]),
    ...together(given, givenOf),
  }
}
