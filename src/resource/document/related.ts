import { needsCaller } from '../../controller/permissions.ts'
import type { ProblemCode } from '../../error/codes.ts'
import { HttpError } from '../../error/errors.ts'
import type { Relation } from '../../model/model.ts'
import { quoted } from '../../model/naming.ts'
import { onceFor } from '../../model/objects.ts'
import type { Operation } from '../../operation/operation.ts'
import { modelsOf, type RelatedModel } from '../../query/tally.ts'
import type { Resource } from '../parts/resource.ts'

/** A model, and those to which its relations lead. */
export type Linked = Pick<Resource, 'model' | 'access' | 'rules' | 'related'>

/** How a request to an operation leads to other models. */
export interface Touched {
  /** Reads the query string. @throws HttpError 400 @default the operation has none */
  readonly uses?: (query: string) => readonly RelatedModel[]
  /** The body may contain related records. @default false */
  readonly writes?: boolean
  /** Models to which every request leads. @default none */
  readonly always?: readonly string[]
}

/** The models that requests to an operation touch. A query string that is refused counts as one that uses all relations. */
export const touching =
  (resource: Linked, { uses, writes = false, always = [] }: Touched): Required<Operation>['models'] =>
  (query) => {
    const own = [resource.model.name, ...always, ...(writes ? namesFrom(resource, writtenRelations) : [])]
    if (uses === undefined) return own
    try {
      if (query !== undefined) return [...own, ...uses(query).map(({ model }) => model)]
    } catch (error) {
      if (!(error instanceof HttpError)) throw error
    }
    return [...own, ...namesFrom(resource, allRelations)]
  }

type RelationsOf = (resource: Linked) => readonly Relation[]

const writtenRelations: RelationsOf = ({ model }) =>
  model.relations.filter(({ name }) => model.write?.includes(name))

const allRelations: RelationsOf = (resource) => [
  ...resource.rules.openRelations,
  ...writtenRelations(resource),
]

/** The model itself, and all that requests can reach through relations. */
export const reachableFrom = (
  resource: Linked,
  relationsOf: RelationsOf = allRelations,
): readonly Linked[] => {
  const found = new Set([resource])
  for (const reached of found)
    for (const name of relationsOf(reached).flatMap(modelsOf)) {
      const next = reached.related(name)
      if (next !== undefined) found.add(next)
    }
  return [...found]
}

const namesFrom = (resource: Linked, relationsOf: RelationsOf): readonly string[] =>
  reachableFrom(resource, relationsOf).flatMap((reached) => relationsOf(reached).flatMap(modelsOf))

/** How queries that lead through relations can be refused to callers who may list the model itself. */
export const relatedProblems: (resource: Linked) => readonly ProblemCode[] = onceFor((resource: Linked) => {
  const targetsOf = ({ related, rules: { relations } }: Linked): readonly Linked[] =>
    relations.flatMap(({ model }) => related(model) ?? [])
  const reached = new Set(targetsOf(resource))
  // The loop also comes to those that it adds.
  for (const from of reached) for (const target of targetsOf(from)) reached.add(target)
  const permissions = [...reached].map((target) => target.access.permissions.read)
  return [
    ...(permissions.some((read) => read !== 'public') ? (['unauthenticated'] as const) : []),
    ...(permissions.some((read) => typeof read === 'function') ? (['forbidden'] as const) : []),
  ]
})

/** A relation that `modelConfig` includes, and that callers do not get who may not list a model on its path. */
export interface WithheldInclude {
  /** `items.product` */
  readonly path: string
  readonly model: string
  /** Whether a function decides, so that it is not known which callers. Otherwise, anonymous callers do not get it. */
  readonly isDecided: boolean
}

/** The default includes of a model that some callers of its list do not get. */
export const withheldIncludes = ({ access, rules }: Linked): readonly WithheldInclude[] =>
  rules.parseDetail('').uses.flatMap((use): readonly WithheldInclude[] => {
    const listed = access.listedFor(use)
    if (listed === undefined) return []
    const { read } = listed.access.permissions
    const [path, model] = [use.path, listed.model.name]
    if (typeof read === 'function') return [{ path, model, isDecided: true }]
    if (read !== 'authenticated' || needsCaller(access, 'read')) return []
    return [{ path, model, isDecided: typeof access.permissions.read === 'function' }]
  })

/** A relation across a pure join table, with the name of that. */
export interface OpenedRelation {
  /** `Order.tags` */
  readonly path: string
  readonly join: string
}

/** The relations of a model that anonymous callers may be able to use, although they may neither list nor write the join table. */
export const openedRelations = (
  { model, access, rules, related }: Linked,
  pureJoins: ReadonlySet<string>,
): readonly OpenedRelation[] =>
  rules.relations.flatMap(({ name, model: other, through }) => {
    const [end, join] = [related(other), through && related(through.model)]
    if (end === undefined || join === undefined || !pureJoins.has(join.model.name)) return []
    const acts = [
      ...(['read'] as const),
      ...(model.write?.includes(name) === true ? (['create', 'update'] as const) : []),
    ]
    const isOpened =
      needsCaller(join.access, 'read') &&
      !needsCaller(end.access, 'read') &&
      acts.some((act) => !needsCaller(access, act))
    return isOpened ? [{ path: `${model.name}.${name}`, join: join.model.name }] : []
  })

/** Completes the description of a response. Empty if every caller gets everything. */
export const withheldSentence = (resource: Linked): string => {
  const withheld = withheldIncludes(resource)
  if (withheld.length === 0) return ''
  const paths = quoted([...new Set(withheld.map(({ path }) => path))])
  const models = [...new Set(withheld.map(({ model }) => model))].join(', ')
  return ` Without \`include\`, it has ${paths} only for callers who may list ${models}.`
}
