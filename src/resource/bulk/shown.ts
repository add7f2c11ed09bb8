import type { ScopedCall } from '../../controller/scope.ts'
import type { Steps } from '../../operation/steps.ts'
import { hookResultJson } from '../../schema/serialiser.ts'
import { shownPage } from '../files.ts'
import { ifShown, presented } from '../presenting.ts'
import { isPresented, mayRead } from '../record.ts'
import type { Resource, ShownPage } from '../resource.ts'
import type { Done } from '../together/write.ts'

/** The JSON of stored records, in their order. `undefined`: the caller may not read one of them, or they cannot be shown. */
export function* shownText(
  resource: Resource,
  scoped: ScopedCall,
  done: readonly Done[],
): Steps<string | undefined> {
  const { model, serialiser } = resource
  for (const { written } of done) if (!(yield* mayRead(resource, scoped, written.record))) return undefined
  const page = yield* ifShown(resource, scoped, shownOf(resource, scoped, done))
  if (page === undefined) return undefined
  const { shown, members } = page
  const texts =
    shown === undefined
      ? page.page.rows.map((row, at) => serialiser.record(row, members?.[at]))
      : shown.map((record) => JSON.stringify(hookResultJson(model, record)))
  return `[${texts.join(',')}]`
}

function* shownOf(resource: Resource, scoped: ScopedCall, done: readonly Done[]): Steps<ShownPage> {
  const rows = done.map(({ written }) => written.record)
  const given = done.map(({ written: { shown, record } }) => shown ?? record)
  const replaced = given.some((each, at) => each !== rows[at]) ? given : undefined
  const made = isPresented(resource)
    ? yield* presented(resource, rows, scoped, replaced)
    : { shown: replaced, computed: undefined }
  return yield* shownPage(resource, {
    page: { rows, count: null, exact: false },
    fields: undefined,
    ...(made.shown && { shown: made.shown }),
    ...(made.computed && { members: made.computed }),
  })
}
