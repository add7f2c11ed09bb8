import type { ScopedCall } from '../../controller/scope.ts'
import { HttpError } from '../../error/errors.ts'
import { onceFor } from '../../model/objects.ts'
import type { Steps } from '../../operation/steps.ts'
import type { Include } from '../../query/ast.ts'
import { optionalUses } from '../../query/tally.ts'
import { hookResultJson, type WrittenMembers } from '../../schema/serialiser.ts'
import type { Row } from '../../source/source.ts'
import { isPresented, mayRead } from '../parts/record.ts'
import type { Resource, ShownRecords, WriteTarget } from '../parts/resource.ts'
import { shownPage } from '../show/files.ts'
import { includedMembers } from '../show/include.ts'
import { includingOf } from '../show/including.ts'
import { ifShown, presented } from '../show/presenting.ts'
import type { NestedChanges, Stored } from './change.ts'

type Showing = Pick<Resource, 'model' | 'access' | 'bodies'>

/**
 * The written relations of a record, as `include` shows them. Those that the caller may not list are absent, and all of them
 * if they cannot be shown: the write is stored.
 */
export function* writtenRecords(
  target: WriteTarget,
  scoped: ScopedCall,
  record: Row,
  below: readonly NestedChanges[],
): Steps<WrittenMembers | undefined> {
  const { model, access, records, rules } = target
  const { call } = scoped
  try {
    const known = writtenIncludes(target)
    const written = below.flatMap(({ target: { relation } }) => known.get(relation.name) ?? [])
    const wanted = written.slice(0, rules.includeMaxRelations)
    const reach = yield* access.reach(scoped, optionalUses(wanted, rules))
    const include = reach.listed(wanted)
    if (include.length === 0) return undefined
    // A replica may not have the write yet.
    const inside = includingOf({ records, rules }, { scoped, reach, from: 'stored' })
    return yield* includedMembers({ model, records }, [record], include, inside)
  } catch (error) {
    if (!(error instanceof HttpError && error.status < 500))
      call.log.error(
        `The write is stored, but the related records of ${model.name} could not be shown, request ${call.requestId}`,
        error,
      )
    return undefined
  }
}

/** How responses include each of the relations that bodies write, if clients can include it. */
const writtenIncludes = onceFor(({ bodies, rules }: WriteTarget): ReadonlyMap<string, Include> => {
  const limit = Math.min(rules.maxChildren, rules.includeMaxPerRecord)
  const usable = new Set(rules.relations.map(({ name }) => name))
  const names = bodies.nested().map(({ relation }) => relation.name)
  return new Map(
    names
      .filter((name) => usable.has(name))
      .flatMap((name) => rules.parseDetail(`include=${name}(limit=${limit})`).include)
      .map((include) => [include.relation, include]),
  )
})

/** The JSON of stored records, in their order. `undefined`: the caller may not read one of them, or they cannot be shown. */
export function* shownText(
  resource: Showing,
  scoped: ScopedCall,
  all: readonly Stored[],
): Steps<string | undefined> {
  const { model } = resource
  const { serialiser } = resource.bodies
  for (const { record } of all) if (!(yield* mayRead(resource.access, scoped, record))) return undefined
  const page = yield* ifShown(model, scoped, shownOf(resource, scoped, all))
  if (page === undefined) return undefined
  const { shown, members } = page
  const texts =
    shown === undefined
      ? page.page.rows.map((row, at) => serialiser.record(row, members?.[at]))
      : shown.map((record) => JSON.stringify(hookResultJson(model, record)))
  return `[${texts.join(',')}]`
}

function* shownOf(resource: Showing, scoped: ScopedCall, all: readonly Stored[]): Steps<ShownRecords> {
  const rows = all.map(({ record }) => record)
  const given = all.map(({ shown, record }) => shown ?? record)
  const replaced = given.some((each, at) => each !== rows[at]) ? given : undefined
  const made = isPresented(resource)
    ? yield* presented(resource, rows, scoped, replaced)
    : { shown: replaced, computed: undefined }
  return yield* shownPage<ShownRecords>(resource, {
    page: { rows },
    ...(made.shown && { shown: made.shown }),
    ...(made.computed && { members: made.computed }),
  })
}
