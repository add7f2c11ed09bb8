import type { Field } from '../../../../src/model/model.ts'
import type { Capabilities } from '../../../../src/source/source.ts'
import { isComparable, isOrdered, isTextual } from '../../../contract/evaluate.ts'
import type { Asked } from '../stage.ts'
import { type Given, isOneOfMany, openRelations, readable } from './given.ts'
import { few } from './records.ts'

/** Requests by what they try. One of each kind succeeds at least. */
export type Requests = Readonly<Record<string, readonly Asked[]>>

const get = (path: string): Asked => ({ method: 'GET', path })

const quoted = (value: unknown): string =>
  value === null ? 'null' : encodeURIComponent(typeof value === 'string' ? `"${value}"` : String(value))

/** Values to compare a field with: the first ones of the tenant and of others. */
const compared = ({ valuesOf }: Given, { name }: Field): readonly unknown[] => {
  const { own, others } = valuesOf(name)
  return [...few(own), ...few(others)]
}

const comparable = ({ model }: Given): readonly Field[] =>
  model.fields.filter((field) => readable(model).includes(field.name) && isComparable(field))

/** Conditions about the fields of the model itself. */
const ownConditions = (given: Given): readonly string[] =>
  comparable(given).flatMap((field) =>
    compared(given, field).flatMap((value, at) => [
      `${field.name}${at === 0 ? '!=' : '=='}${quoted(value)}`,
      ...(isOrdered(field) && value !== null ? [`${field.name}>=${quoted(value)}`] : []),
      ...(isTextual(field) && typeof value === 'string' && value !== ''
        ? [`${field.name}=${quoted(value.slice(0, 2))}`]
        : []),
    ]),
  )

const isLeftOut = (name: string): boolean => isOneOfMany(name) && !/^strip(0|39)s/.test(name)

/** Conditions about related records. */
const relatedConditions = (given: Given, givenOf: (model: string) => Given): readonly string[] =>
  openRelations(given.model)
    .filter(({ name }) => !isLeftOut(name))
    .flatMap(({ name, model }) => {
      const target = givenOf(model)
      const values = comparable(target).flatMap((field) =>
        few(compared(target, field), isOneOfMany(name) ? 1 : 2).map(
          (value) => `${name}.${field.name}==${quoted(value)}`,
        ),
      )
      if (isOneOfMany(name)) return values.slice(0, 2)
      const beyond = openRelations(target.model).flatMap((next) => {
        const last = comparable(givenOf(next.model)).find((field) =>
          /^(tenantId|level|text)$/.test(field.name),
        )
        return last === undefined || isOneOfMany(next.name)
          ? []
          : few(compared(givenOf(next.model), last)).map(
              (value) => `${name}.${next.name}.${last.name}==${quoted(value)}`,
            )
      })
      const negated = values.filter((_, at) => at % 3 === 0).map((one) => `!(${one})`)
      return [`${name}=null`, `${name}!=null`, ...values, ...negated, ...beyond]
    })

const includes = (given: Given): readonly string[] =>
  openRelations(given.model).flatMap(({ name, model, kind }) => {
    if (isOneOfMany(name)) return [name]
    const next = openRelations(given.modelOf(model)).filter((one) => !isOneOfMany(one.name))
    return [
      name,
      ...(kind === 'to-many'
        ? [`${name}(count=exact;limit=1)`, `${name}(sort=${given.modelOf(model).primaryKey[0]})`]
        : []),
      ...next.map((one) => `${name}.${one.name}`),
    ]
  })

/** Lists that follow each other by cursor. */
export const pagesOf = (given: Given): Requests => {
  const path = `/${given.model.path}/?limit=1`
  const sorts = comparable(given)
    .filter(isOrdered)
    .map(({ name }, at) => (at % 2 === 0 ? `&sort=${name}&order=desc&count=exact` : `&sort=${name}`))
  return { 'pages by cursor': ['', '&count=estimated', ...sorts].map((rest) => get(`${path}${rest}`)) }
}

export const readsOf = (
  given: Given,
  givenOf: (model: string) => Given,
  { relatedSort }: Pick<Capabilities, 'relatedSort'>,
): Requests => {
  const { model, ids } = given
  const list = `/${model.path}/`
  const many = openRelations(model).filter(({ kind, name }) => kind === 'to-many' && !isLeftOut(name))
  const one = openRelations(model).filter(({ kind }) => kind === 'to-one')
  const all = includes(given)
  const whole = all.filter((include) => !include.includes('(')).slice(0, 60)
  const sortable = comparable(given).filter(isOrdered)
  return {
    lists: [
      ...[
        '',
        '?count=none',
        '?count=estimated&limit=1',
        '?limit=0',
        '?limit=1&offset=1',
        '?limit=2&offset=99',
      ],
      ...['?search=a', '?search=one', '?search=foreign', '?search=t2', `?fields=${model.primaryKey.join()}`],
    ].map((rest) => get(`${list}${rest}`)),
    sorts: sortable.flatMap(({ name }) => [
      get(`${list}?sort=${name}&order=desc`),
      get(`${list}?sort=${name}&limit=1`),
    ]),
    // Not all sources can.
    ...(relatedSort !== false && {
      'sorts by related records': one.flatMap(({ name, model: target }) =>
        comparable(givenOf(target))
          .filter(isOrdered)
          .map((field) => get(`${list}?sort=${name}.${field.name}&order=desc`)),
      ),
    }),
    filters: ownConditions(given).map((condition) => get(`${list}?${condition}`)),
    'filters by related records': relatedConditions(given, givenOf).map((condition) =>
      get(`${list}?q=${condition}`),
    ),
    includes: all.map((include) => get(`${list}?include=${include}`)),
    details: [...ids.own, ...ids.others].flatMap((id, at) => [
      get(`${list}${id}?include=${whole.slice(0, 8).join()}`),
      ...(at % 3 === 0 ? [get(`${list}${id}`), { method: 'HEAD', path: `${list}${id}` }] : []),
    ]),
    below: many.flatMap(({ name }) =>
      [...ids.own, ...ids.others].flatMap((id) => [
        get(`${list}${id}/${name}/`),
        ...(id === ids.own[0] ? [get(`${list}${id}/${name}/?limit=1&count=exact&include=`)] : []),
      ]),
    ),
    aggregates: [
      ...['', '?aggregate=count', '?search=a', ...sortable.map(({ name }) => `?group=${name}`)],
      ...sortable.map(({ name }) => `?aggregate=count,min(${name}),max(${name})`),
      ...few(
        relatedConditions(given, givenOf).filter((condition) => !condition.startsWith('!')),
        12,
      ).map((condition) => `?q=${condition}`),
    ].map((rest) => get(`/${model.path}/aggregate${rest}`)),
  }
}
