import type { Creates } from '../../controller/controller.ts'
import type { ScopedCall } from '../../controller/scope.ts'
import { HttpError } from '../../error/errors.ts'
import { readJson } from '../../operation/body.ts'
import type { Call } from '../../operation/call.ts'
import { assertNoQuery, skip, takePath } from '../../operation/path.ts'
import { assertNoOthers } from '../../operation/preconditions.ts'
import { takenProblem } from '../../operation/refusals.ts'
import { type Steps, wait } from '../../operation/steps.ts'
import { exampleOf } from '../../schema/example.ts'
import { SourceError } from '../../source/source.ts'
import type { Act } from '../document/describe.ts'
import { writtenSuccess } from '../document/responses.ts'
import type { ModelAction } from '../parts/declared.ts'
import { admission, checkedIfLate, enter, findPermitted } from '../parts/record.ts'
import { closedField, partWith } from '../parts/target.ts'
import { createdReply, JSON_TYPE, noContent, type Shown } from '../show/replies.ts'
import { createdValues } from '../write/body.ts'
import type { Change, Stored } from '../write/change.ts'
import { prepared } from '../write/prepare.ts'
import { writeOne } from '../write/run.ts'
import { type ActedOn, runOnRecord } from './run.ts'

/** An action that creates a record like a POST of the model, with its hooks and its scope, or runs on one that is there already. */
export const creatingAct = (acting: ActedOn, action: ModelAction, creates: Creates): Act => {
  const { target, own } = acting
  const { model, rules } = target
  const { required, closed } = creates
  const part = partWith(target, closed === undefined ? target.bodies.custom : undefined, (field) => {
    if (closed?.includes(field.name)) return closedField(field)
    return required.includes(field.name)
      ? Object.freeze({ ...field, nullable: false, optional: false, hasDefault: false })
      : field
  })
  const { schema, uses = [] } = part.bodies.jsonSchemas.create
  const body = {
    ...{ mediaTypes: [JSON_TYPE], required: true, ...rules.bodyBounds },
    schema: { name: `${action.name[0]?.toUpperCase()}${action.name.slice(1)}Request`, schema, uses },
    get example() {
      return exampleOf(part.model, 'create')
    },
  }
  const segments = (action.own?.path ?? '').split('/').length - 1
  const above = new RegExp(`(/[^/]*){${segments}}/?$`)
  const collection = ({ path }: Call): string => `${path.replace(above, '')}/${model.path}`
  return {
    ...writtenSuccess(target, 'create'),
    body,
    run: takePath<void, ScopedCall, undefined, Change, Shown | undefined>({
      mediaType: JSON_TYPE,
      body,
      ask(call) {
        assertNoQuery(call)
        assertNoOthers(call)
      },
      enter: enter(own, 'create'),
      find: skip,
      validate: (bytes, scoped) => wait(createdValues({ part }, scoped.guard, readJson(bytes))),
      act: checkedIfLate(own, admission(own, 'create'), skip, (_none, change: Change, scoped) =>
        made(acting, action, creates, { change, scoped }),
      ),
      reply: (shown, call) =>
        shown === undefined ? noContent : createdReply(target, shown, collection(call)),
    }),
  }
}

interface Making {
  readonly change: Change
  readonly scoped: ScopedCall
}

function* made(
  acting: ActedOn,
  action: ModelAction,
  creates: Creates,
  making: Making,
): Steps<Shown | undefined> {
  const { change, scoped } = making
  const known = yield* creates.found(change.values)
  if (known !== undefined) return yield* instead(acting, action, scoped, known)
  yield* creates.before(change.values, scoped.call)
  const values = creates.values()
  const given = { ...change, values: { ...change.values, ...values } }
  let stored: Stored
  try {
    stored = yield* prepared({ target: acting.target, scoped }, given, undefined, (writing, ready) =>
      writeOne(writing, { ...ready, values: { ...ready.values, ...values } }),
    )
  } catch (error) {
    // Another request may have created it meanwhile.
    const since = isTaken(error) ? yield* creates.found(change.values) : undefined
    if (since === undefined) throw error
    return yield* instead(acting, action, scoped, since)
  }
  yield* creates.after(stored.stored ?? stored.record, scoped.call)
  return stored
}

const isTaken = (error: unknown): boolean =>
  error instanceof SourceError
    ? error.kind === 'unique'
    : error instanceof HttpError && error.code === 'unique_conflict'

/** Runs on the record that is there. One out of scope is like any other whose values are taken. */
function* instead(
  acting: ActedOn,
  action: ModelAction,
  scoped: ScopedCall,
  key: readonly unknown[],
): Steps<Shown | undefined> {
  const { target, own } = acting
  try {
    const seen = yield* findPermitted({ ...target, access: own }, 'update')(key, scoped)
    const outcome = yield* runOnRecord(acting, action, { key, input: undefined, scoped, seen })
    return outcome && 'shown' in outcome ? outcome.shown : undefined
  } catch (error) {
    if (!(error instanceof HttpError && error.code === 'not_found')) throw error
    throw takenProblem(target.model, action.own?.creates?.required ?? [])
  }
}
