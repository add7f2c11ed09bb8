import { permissionsOf, undecidedLog } from '../../controller/permissions.ts'
import { fieldOf, hidesRecords, isNeeded, isWritable, type Model, type Relation } from '../../model/model.ts'
import { lazily, onceFor } from '../../model/objects.ts'
import { hasOperation } from '../../model/operations.ts'
import { pagingOf } from '../../model/pagination.ts'
import { onlyDeleted, withDeleted } from '../../model/soft-deletion.ts'
import { openRelations, usableRelations } from '../../model/usable-relations.ts'
import { parseAggregateRequest } from '../../query/aggregate.ts'
import type { ListRules } from '../../query/settings.ts'
import { columnSchemasOf } from '../../schema/columns.ts'
import { bodyReadersOf, shownSchemasOf } from '../../schema/custom/body-readers.ts'
import type { CustomBodies } from '../../schema/custom/standard-schema.ts'
import { countedBy } from '../../schema/envelope.ts'
import { withRelated } from '../../schema/related.ts'
import { serialiserOf } from '../../schema/serialiser.ts'
import { paceByRoundTrip, sharing } from '../../source/sharing.ts'
import type { ModelSource } from '../../source/source.ts'
import { namesOf, withComputedFields } from './declared.ts'
import { modelFilesOf, modelMediaOf } from './files.ts'
import { detailParser } from './parsers.ts'
import { reaching } from './reach.ts'
import { recordsOf } from './records.ts'
import {
  type CallerAccess,
  isNarrowed,
  isScoped,
  type Limits,
  type ModelRecords,
  type Resource,
  type ResourceParts,
  type Rules,
  type ShownPage,
} from './resource.ts'
import { nestedTargetsOf, withoutPermissions } from './target.ts'

export const resourcesOf = (
  models: readonly Model[],
  parts: ResourceParts,
  limits: Limits,
): readonly Resource[] => {
  const related = resourcesIn(models, parts, limits)
  return models.flatMap(({ name }) => related(name) ?? [])
}

/** Each is created when it is first asked for. */
export const resourcesIn = (
  models: readonly Model[],
  {
    controllers,
    computed: computedFields,
    actions,
    bodies,
    files,
    media,
    envelope,
    pureJoins,
    parsers,
    narrowing,
    ...shared
  }: ResourceParts,
  {
    bodyBounds,
    pageBytes,
    transactionTimeout,
    databaseRetries,
    maxChildren,
    bulkMax,
    cursorSecret,
    ...limits
  }: Limits,
): Resource['related'] => {
  const { source, audit } = shared
  const named = new Map(models.map((model) => [model.name, model]))
  const served = new Set(named.keys())
  const scopes = { source, controllers, modelOf: modelIn(source) }
  const relationsOf = relationsIn(models, source)
  const canRelate = source.capabilities.relations === true
  const sorts = {
    relatedSort: canRelate && source.capabilities.relatedSort === true,
    dateParts: source.capabilities.dateParts === true,
    countsDistinct: source.capabilities.countDistinct === true,
    having: source.capabilities.having === true,
  }
  const counted = countedBy(envelope)
  const servedOf = (name: string): Model | undefined => models.find((model) => model.name === name)
  const open = (model: Model): readonly Relation[] => (canRelate ? openRelations(model, servedOf) : [])
  const { sharedReads: isShared, synchronous } = source.capabilities
  const pace = isShared === true && synchronous !== true ? paceByRoundTrip() : undefined
  const bindsReferences = (name: string): boolean => {
    const controller = controllers.get(name)
    return controller?.hooks.scope !== undefined && controller.bindsReferences !== false
  }
  const isChecked = (name: string): boolean => bindsReferences(name) || hidesRecords(scopes.modelOf(name))
  const computedOf = ({ name }: Model): readonly string[] => namesOf(computedFields.get(name))
  const byName = new Map<string, Resource>()
  const related = (name: string): Resource | undefined => {
    const [known, model] = [byName.get(name), named.get(name)]
    if (known !== undefined || model === undefined) return known
    const made = resourceOf(model)
    byName.set(name, made)
    return made
  }
  // Another model, which may be a join table that is not served. Then callers need no permission of its own.
  const joined = (name: string): Resource => {
    const known = related(name)
    if (known !== undefined) return known
    const internal = resourceOf(scopes.modelOf(name))
    return { ...internal, access: withoutPermissions(internal.access) }
  }
  const listedFor: CallerAccess['listedFor'] = ({ model, from = model }) =>
    related(pureJoins.has(model) ? from : model)
  const rulesOf = (model: Model): Rules => {
    const paging = pagingOf(model, limits.paging)
    const secret = paging.includes('cursor') ? cursorSecret() : ''
    const asked = {
      ...{ model, modelOf: scopes.modelOf, relationsOf, computedOf },
      ...{ ...limits, ...sorts, paging, secret, counted },
    }
    return {
      ...{ ...asked, bodyBounds, maxChildren, bulkMax, served, codes: shared.codes },
      ...{ relations: usableIn(model), openRelations: open(model) },
      hasRelations: canRelate,
      exactText: source.capabilities.exactText === true,
      aggregates: source.capabilities.aggregates === true && hasOperation(model, 'list'),
      refusalOf: (error) => source.refusalOf?.(error),
      parseList: parsers(asked, narrowing?.id),
      parseDetail: detailParser(asked),
      parseAggregation: (raw) => parseAggregateRequest(raw, asked),
    }
  }
  const usableIn = (model: Model): readonly Relation[] =>
    [...relationsOf(model).values()].map(({ relation }) => relation)
  const [recorded] = audit?.values() ?? []
  const isEntriesScoped = isScoped({ controller: controllers.get(recorded?.entries.name ?? '') })
  const accessOf = (model: Model, lacking: CallerAccess['lacking']): CallerAccess => {
    const controller = controllers.get(model.name)
    const { authenticate, ownAuthentication, authProblems } = shared
    return {
      ...{ model, controller, scopes, narrowing, lacking, undecided: undecidedLog() },
      ...{
        listedFor,
        reach: reaching({ scopes, related, listedFor }),
        scopedEntries: isEntriesScoped ? recorded?.entries : undefined,
      },
      ...(authenticate && { authenticate }),
      ...(ownAuthentication !== undefined && { ownAuthentication }),
      ...(authProblems && { authProblems }),
      permissions: permissionsOf(model, controller, authenticate !== undefined),
      scopedReferences: model.relations.filter(
        ({ kind, model: target, inherited }) =>
          kind === 'to-one' && inherited === undefined && isChecked(target),
      ),
    }
  }
  const recordsFor = (model: Model, whole: Model): ModelRecords => {
    const { commits, memory } = shared
    const view = (of: typeof withDeleted) =>
      lazily(
        (): ModelRecords => ({ ...recordsOf(source, { model: of(model), whole: of(whole) }), ...around }),
      )
    const [all, only] = [view(withDeleted), view(onlyDeleted)]
    const seeing: ModelRecords['seeing'] = (deleted) => (deleted === 'only' ? only() : all())
    const around = {
      ...{ source, commits, memory, pageBytes, transactionTimeout, databaseRetries, seeing },
      ...{ audited: audit?.get(model.name), sharePage: undefined },
    }
    return {
      ...{ ...recordsOf(source, { model, whole }, pace), ...around },
      sharePage: pace && sharing<ShownPage>(pace),
    }
  }
  const resourceOf = (model: Model): Resource => {
    const computed = computedFields.get(model.name) ?? []
    const whole = narrowing?.whole.get(model.name) ?? model
    const closed = narrowing?.closed(model.name)
    const custom = closed === undefined ? bodies.get(model.name) : closedIn(bodies.get(model.name), closed)
    const lacking = closed && lackingIn(model, whole)
    const schemas = withComputedFields(shownSchemasOf(model, custom), computed)
    const relatedSchemas = usableIn(model).map((relation) => ({
      relation,
      record: () => related(relation.model)?.bodies.jsonSchemas.list ?? schemas.list,
    }))
    const access = accessOf(model, lacking)
    const isOpen = access.permissions.read === 'public' && !isScoped(access) && !isNarrowed(access)
    return {
      ...{ model, access, related, rules: rulesOf(model), records: recordsFor(model, whole) },
      bodies: {
        ...bodyReadersOf(model, custom),
        ...{ custom, computed, actions: actions.get(model.name) ?? [] },
        columns: columnSchemasOf(model, custom?.create?.declared, lacking),
        jsonSchemas: {
          ...schemas,
          detail: withRelated(schemas.detail, schemas.detail.name, relatedSchemas, envelope),
        },
        pageItem: withRelated(schemas.list, `${model.name}ListItem`, relatedSchemas, envelope),
        envelope,
        serialiser: serialiserOf(model),
        files: modelFilesOf(model, files),
        media: modelMediaOf(model, files, media, { isOpen, whole }),
        nested: lazily(() => nestedTargetsOf(model, { joined, pureJoins })),
      },
    }
  }
  return related
}

/** The relations of each served model that clients can use. */
const relationsIn = (models: readonly Model[], { capabilities }: ModelSource): ListRules['relationsOf'] => {
  const byName = new Map(models.map((model) => [model.name, model]))
  const servedOf = (name: string): Model | undefined => byName.get(name)
  return onceFor((model) => {
    const usable = capabilities.relations === true ? usableRelations(model, servedOf) : []
    return new Map(
      usable.flatMap((relation) => {
        const target = servedOf(relation.model)
        return target === undefined ? [] : [[relation.name, { relation, target }] as const]
      }),
    )
  })
}

const modelIn =
  ({ models }: ModelSource) =>
  (name: string): Model => {
    const model = models.find((known) => known.name === name)
    if (model === undefined) throw new Error(`Unknown model ${name}.`)
    return model
  }

/** Custom schemas whose fields this caller may not all write. */
const closedIn = (bodies: CustomBodies | undefined, closed: ReadonlySet<string>): CustomBodies | undefined =>
  bodies &&
  Object.fromEntries(
    Object.entries(bodies).map(([which, body]) => {
      const declared = new Set([...body.declared].filter((name) => !closed.has(name)))
      return [which, { ...body, declared }]
    }),
  )

/** The fields that a new record needs, and that this caller may not write. */
const lackingIn = (model: Model, whole: Model): ReadonlySet<string> =>
  new Set(
    model.fields
      .filter((field) => isNeeded(field) && !isWritable(field) && isWritable(fieldOf(whole, field.name)))
      .map(({ name }) => name),
  )
