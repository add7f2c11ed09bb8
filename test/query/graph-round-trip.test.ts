import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isReadable, type Model } from '../../src/model/model.ts'
import { onceFor } from '../../src/model/objects.ts'
import { type Condition, everything, type Include, type Order, sortName } from '../../src/query/ast.ts'
import { queryFields } from '../../src/query/fields.ts'
import { parseDetailRequest, parseListRequest } from '../../src/query/list-query.ts'
import type { UsableRelation } from '../../src/query/settings.ts'
import { sharingSubqueries } from '../../src/query/shared-subqueries.ts'
import { withKey } from '../../src/query/sort.ts'
import { leafOn } from './any-condition.ts'
import { modelOf, rulesOf } from './graph.ts'
import { type Place, printCondition, type Style } from './print.ts'

const rules = rulesOf('Order', {
  maxConditions: 500,
  maxDepth: 30,
  maxQueryBytes: 100_000,
  maxContains: 1000,
  maxToMany: 500,
})
const order = rules.model
const relationsFrom = (model: Model): readonly UsableRelation[] => [...rules.relationsOf(model).values()]

const leafAt = onceFor((model: Model) => leafOn(model))

/** Conditions on a record of a model, at most `depth` groups and relations deep, in the form that reading them gives. */
const conditionOn = (model: Model, depth: number): fc.Arbitrary<Condition> => {
  const leaf = leafAt(model)
  if (depth === 0) return leaf
  const inner = fc.nat().chain(() => conditionOn(model, depth - 1))
  const related = fc
    .constantFrom(...relationsFrom(model))
    .chain(({ relation, target }) =>
      fc
        .oneof(
          { weight: 1, arbitrary: fc.constant(everything) },
          { weight: 5, arbitrary: conditionOn(target, depth - 1) },
        )
        .map((condition): Condition => ({ op: 'related', relation: relation.name, condition })),
    )
  return fc.oneof(
    { weight: 2, arbitrary: leaf },
    { weight: 3, arbitrary: related },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom('and', 'or'), fc.array(inner, { minLength: 2, maxLength: 3 }))
        .map(([op, conditions]): Condition => ({ op, conditions })),
    },
    { weight: 1, arbitrary: inner.map((condition): Condition => ({ op: 'not', condition })) },
  )
}

const keyOf = (model: Model, hops: number): fc.Arbitrary<Omit<Order, 'direction'>> => {
  const own = fc.constantFrom(...queryFields(model).sortable).map((field) => ({ field }))
  const toOne = relationsFrom(model).filter(({ relation }) => relation.kind === 'to-one')
  if (hops === 0 || toOne.length === 0) return own
  const via = fc.constantFrom(...toOne).chain(({ relation, target }) =>
    keyOf(target, hops - 1).map(({ field, via: further = [] }) => ({
      field,
      via: [{ relation: relation.name }, ...further],
    })),
  )
  return fc.oneof(own, via)
}

/** A field precedes the relations that its name begins with, at each step. */
const isPath = ({ field, via = [] }: Omit<Order, 'direction'>, model: Model): boolean => {
  const [hop, ...rest] = via
  if (hop === undefined) return true
  const text = [...via.map(({ relation }) => relation), field].join('.')
  return (
    model.fields.every(({ name }) => name !== text) &&
    isPath({ field, via: rest }, targetOf(model, hop.relation))
  )
}

const orderOf = (model: Model): fc.Arbitrary<readonly Order[]> =>
  fc
    .uniqueArray(
      keyOf(model, 3).filter((key) => isPath(key, model)),
      { maxLength: 3, selector: (key) => sortName({ ...key, direction: 'asc' }) },
    )
    .chain((keys) =>
      fc
        .array(fc.constantFrom('asc', 'desc'), { minLength: keys.length, maxLength: keys.length })
        .map((directions) => keys.map((key, at): Order => ({ ...key, direction: directions[at] ?? 'asc' }))),
    )

const includeOf = (model: Model, depth: number): fc.Arbitrary<readonly Include[]> =>
  depth === 0
    ? fc.constant([])
    : fc
        .uniqueArray(fc.constantFrom(...relationsFrom(model)), {
          maxLength: 2,
          selector: (each) => each.relation,
        })
        .chain((relations) =>
          fc.tuple(...relations.map((relation) => oneOf(relation, depth))).map((all) => [...all]),
        )

/** As in what a client writes: the order without the key, and the fields that it selects. */
interface Written extends Include {
  readonly sorts: readonly Order[]
}

const oneOf = ({ relation, target }: UsableRelation, depth: number): fc.Arbitrary<Written> => {
  const readable = target.fields.filter(isReadable).map(({ name }) => name)
  const fields = fc.option(fc.uniqueArray(fc.constantFrom(...readable), { minLength: 1 }), { nil: undefined })
  return fc
    .record({
      include: includeOf(target, depth - 1),
      fields,
      filter: fc.oneof(fc.constant(everything), conditionOn(target, 2)),
      sorts: orderOf(target),
      limit: fc.integer({ min: 0, max: 100 }),
      count: fc.constantFrom('exact', 'none'),
    })
    .map(({ include, fields: chosen, filter, sorts, limit, count }) => {
      const shown =
        chosen && readable.filter((name) => chosen.includes(name) || target.primaryKey.includes(name))
      const found = include.flatMap(
        (each) => target.relations.find(({ name }) => name === each.relation)?.fields ?? [],
      )
      const isOne = relation.kind === 'to-one'
      const selection = {
        ...{ filter: isOne ? everything : filter, offset: 0, limit: isOne ? 1 : limit },
        order: withKey(isOne ? [] : sorts, target),
        ...(shown && { fields: [...new Set([...shown, ...found])] }),
      }
      return {
        ...{ relation: relation.name, selection, include, sorts: isOne ? [] : sorts },
        ...(shown && { fields: shown }),
        count: isOne ? 'none' : count,
      }
    })
}

const quoted = (text: string): string => (/[;)"]/.test(text) ? `"${text}"` : text)

const optionsOf = (include: Written, model: Model, style: Style): string => {
  const { selection, fields, sorts, count } = include
  const isOne = model.relations.find(({ name }) => name === include.relation)?.kind === 'to-one'
  const target = targetOf(model, include.relation)
  const options = [
    ...(fields === undefined ? [] : [`fields=${quoted(fields.join())}`]),
    ...(isOne
      ? []
      : [
          `limit=${selection.limit}`,
          ...sorts.flatMap((key) => [`sort=${quoted(sortName(key))}`, `order=${key.direction}`]),
          ...(selection.filter === everything ? [] : [`q=${asOption(selection.filter, target, style)}`]),
          `count=${count}`,
        ]),
  ]
  return options.length === 0 ? '' : `(${options.join(';')})`
}

/** A semicolon in the name of a field would end the option, but not inside a group. */
const asOption = (filter: Condition, target: Model, style: Style): string => {
  const text = printCondition(filter, target, 'option', style)
  return text.includes('a;b') ? `(${printCondition(filter, target, 'group', style)})` : text
}

const targetOf = (model: Model, name: string): Model =>
  modelOf(model.relations.find((relation) => relation.name === name)?.model ?? '')

/** Each relation as a path of its own, or continued by its first inner one. */
const pathsOf = (
  includes: readonly Include[],
  model: Model,
  {
    prefix = '',
    style,
    joined,
  }: { readonly prefix?: string; readonly style: Style; readonly joined: boolean },
): readonly string[] =>
  includes.flatMap((include) => {
    const own = prefix + include.relation + optionsOf(include as Written, model, style)
    const plain = `${prefix}${include.relation}.`
    const target = targetOf(model, include.relation)
    const inner = pathsOf(include.include, target, { prefix: plain, style, joined })
    const [first, ...others] = inner
    if (!joined || first === undefined) return [own, ...inner]
    return [`${own}.${first.slice(plain.length)}`, ...others]
  })

const stripped = (includes: readonly Include[], model: Model): readonly Include[] =>
  includes.map((include) => {
    const { sorts: _sorts, ...rest } = include as Written
    const target = targetOf(model, include.relation)
    const filter = sharingSubqueries(include.selection.filter, { model: target, modelOf })
    const selection = { ...include.selection, filter }
    return { ...rest, selection, include: stripped(include.include, target) }
  })

const styles = fc
  .record({ quoted: fc.boolean(), dotted: fc.boolean() })
  .map((style): Style => ({ ...style, modelOf }))

const partOf = (condition: Condition, style: Style, place: Place): string =>
  printCondition(condition, order, condition.op === 'and' ? 'group' : place, style)

it('reads conditions through relations as they were printed, in q and in segments', () => {
  fc.assert(
    fc.property(conditionOn(order, 4), styles, fc.boolean(), (filter, style, isSegment) => {
      const segment = partOf(filter, style, 'segment')
      // The order has a field that is named like a parameter.
      const text = isSegment && !/^sort\W/.test(segment) ? segment : `q=${partOf(filter, style, 'q')}`
      const query = encodeURIComponent(text).replace(/^q%3D/, 'q=')
      expect(parseListRequest(query, rules).filter, text).toEqual(sharingSubqueries(filter, rules))
    }),
    { numRuns: 2000 },
  )
})

it('reads the order as it was printed', () => {
  fc.assert(
    fc.property(orderOf(order), (keys) => {
      const query = keys
        .map((key) => `sort=${encodeURIComponent(sortName(key))}&order=${key.direction}`)
        .join('&')
      expect(parseListRequest(query, rules).order, query).toEqual(withKey(keys, order))
    }),
    { numRuns: 1000 },
  )
})

it('reads include as it was printed, each relation with its options', () => {
  fc.assert(
    fc.property(includeOf(order, 3), styles, fc.boolean(), (include, style, joined) => {
      const text = pathsOf(include, order, { style, joined }).join()
      const query = `include=${encodeURIComponent(text)}`
      const wide = { ...rules, includeMaxRelations: 100 }
      expect(parseListRequest(query, wide).include, text).toEqual(stripped(include, order))
      expect(parseDetailRequest(query, wide).include, text).toEqual(stripped(include, order))
    }),
    { numRuns: 1000 },
  )
})
