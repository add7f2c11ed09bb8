import { needsCaller, undecidedLog } from '../../controller/permissions.ts'
import type { ScopedCall } from '../../controller/scope.ts'
import { type ErrorCode, isProblemCode } from '../../error/codes.ts'
import { MAX_ISSUES } from '../../error/errors.ts'
import { meaningOf, type OwnCode, statusOf } from '../../error/own-codes.ts'
import { isRecord } from '../../error/record.ts'
import { plural, withArticle } from '../../model/naming.ts'
import { readJson } from '../../operation/body.ts'
import type { BodyShape, Operation, Success } from '../../operation/operation.ts'
import { assertNoQuery, pathAbout, skip, takePath } from '../../operation/path.ts'
import { assertNoOthers } from '../../operation/preconditions.ts'
import { type Steps, wait } from '../../operation/steps.ts'
import { bodyRefusal, NOT_AN_OBJECT, unwritableKeyIssue } from '../../schema/issues.ts'
import type { NamedSchema } from '../../schema/json-schema.ts'
import type { Row } from '../../source/source.ts'
import { keyParameter, problemsOf } from '../document/describe.ts'
import { writtenSuccess } from '../document/responses.ts'
import { scopeSentence } from '../document/sentences.ts'
import type { ModelAction } from '../parts/declared.ts'
import { admission, checkedIfLate, enter, findPermitted, readParameters } from '../parts/record.ts'
import type { CallerAccess, Resource, Rules, WriteTarget } from '../parts/resource.ts'
import { JSON_TYPE, jsonReply, noContent, recordReply } from '../show/replies.ts'
import { creatingAct } from './creating.ts'
import { type ActedOn, type Outcome, runOnCollection, runOnRecord } from './run.ts'

/** `POST /tickets/{id}/close`, or `POST /tickets/import`, for each action of the controller. */
export const actionOperations = (target: WriteTarget): readonly Operation[] =>
  target.bodies.actions.map((action) =>
    operationOf({ target, own: permitting(target.access, action) }, action),
  )

/** The write whose permission an action has, unless it has its own. */
export const verbOfAction = ({ on }: Pick<ModelAction, 'on'>): 'update' | 'create' =>
  on === 'record' ? 'update' : 'create'

/** A permission of the action takes the place of that of the write. */
export const permitting = (access: CallerAccess, action: ModelAction): CallerAccess => {
  const { name, permission, own } = action
  const { creates } = own ?? {}
  return permission === undefined
    ? access
    : {
        ...access,
        permissions: {
          ...access.permissions,
          ...(creates
            ? { create: creates.permission, update: permission }
            : { [verbOfAction(action)]: permission }),
        },
        // A function that decides without a record refuses anonymous callers itself.
        controller: access.controller && { ...access.controller, needsCaller: own ? ['update'] : [] },
        undecided: undecidedLog(),
        action: name,
      }
}

const operationOf = (acting: ActedOn, action: ModelAction): Operation => {
  const { target, own } = acting
  const { model, rules } = target
  const {
    id,
    on,
    segment,
    codes,
    summary,
    description = '',
    deprecated = model.deprecated,
    own: ours,
  } = action
  const verb = verbOfAction(action)
  const isOnRecord = on === 'record'
  const creating = ours?.creates && creatingAct(acting, action, ours.creates)
  const body = creating?.body ?? bodyOf(rules, action)
  const shown = creating ?? successOf(target, action)
  const permission = own.permissions[verb]
  const open = permission === 'public' ? 'anyone' : 'decided'
  const caller = needsCaller(own, verb) ? 'required' : open
  const named = isOnRecord ? withArticle(model.name) : plural(model.name)
  return Object.freeze({
    ...{ success: shown.success, ...(shown.withheld && { withheld: shown.withheld }) },
    ...{ id, body, deprecated, tag: ours?.tag ?? model.name, model: model.name },
    method: 'POST',
    path: ours?.path ?? `/${model.path}${isOnRecord ? '/{id}' : ''}/${segment}`,
    summary: summary ?? `Run \`${action.name}\` on ${named}`,
    description: [description, isOnRecord ? scopeSentence(own, 'update') : '']
      .filter((text) => text !== '')
      .join('\n\n'),
    caller: ours ? 'session' : caller,
    parameters: isOnRecord ? [keyParameter(model)] : [],
    problems: [
      ...(codes ?? []).filter(isProblemCode),
      ...problemsOf({ ...target, access: own }, verb, { ...shown, body }),
      'rejected',
    ],
    ...actionCodes(rules, codes),
    run: pathAbout(
      rules,
      creating?.run ?? (isOnRecord ? onRecord(acting, action, body) : onCollection(acting, action, body)),
    ),
  } satisfies Operation)
}

/** The codes of the application that an action may send: those that it names, otherwise all. */
const actionCodes = ({ codes: known }: Rules, named: ModelAction['codes']): Pick<Operation, 'codes'> => {
  if (named === undefined) return known === undefined ? {} : { codes: known }
  const own = named.filter((code) => !isProblemCode(code))
  const described = (code: ErrorCode): OwnCode => ({
    status: statusOf(code, known ?? {}),
    ...meaningOf(code, known),
  })
  return own.length === 0 ? {} : { codes: Object.fromEntries(own.map((code) => [code, described(code)])) }
}

const onRecord = (acting: ActedOn, action: ModelAction, body: BodyShape) => {
  const { target, own } = acting
  const isDecided = typeof own.permissions.update === 'function'
  const find: (key: readonly unknown[], scoped: ScopedCall) => Steps<Row | undefined> = isDecided
    ? findPermitted({ ...target, access: own }, 'update')
    : skip
  const readKey = readParameters(target.model)
  return takePath({
    ...common(acting, action, body),
    ask: (call) => {
      assertNoOthers(call)
      return readKey(call)
    },
    enter: enter(own, 'update'),
    find,
    act: checkedIfLate(own, admission(own, 'update'), find, (key, input: unknown, scoped, seen) =>
      runOnRecord(acting, action, { key, input, scoped, seen }),
    ),
  })
}

const onCollection = (acting: ActedOn, action: ModelAction, body: BodyShape) => {
  const { target, own } = acting
  return takePath({
    ...common(acting, action, body),
    ask: (call) => {
      assertNoQuery(call)
      assertNoOthers(call)
    },
    enter: enter(own, 'create'),
    find: skip,
    act: checkedIfLate<void, unknown, undefined, Outcome>(
      own,
      admission(own, 'create'),
      skip,
      (_none, input, scoped) => runOnCollection(target.records, action, { input, scoped }),
    ),
  })
}

/** What actions on records and on collections have in common. */
const common = ({ target }: ActedOn, { on, input, output }: ModelAction, body: BodyShape) => ({
  body,
  ...((on === 'record' || output !== undefined) && { mediaType: JSON_TYPE }),
  validate: (bytes: Uint8Array): Steps<unknown> => {
    const sent = bytes.length === 0 && !body.required ? {} : readJson(bytes)
    return input === undefined ? assertEmpty(sent) : wait(input.readBody(sent))
  },
  reply: (outcome: Outcome) => {
    if (outcome === undefined) return noContent
    return 'text' in outcome ? jsonReply(outcome.text) : recordReply(target, outcome.shown)
  },
})

/** @throws HttpError 422 if the body has a key */
const assertEmpty = (sent: unknown): Steps<undefined> => {
  if (!isRecord(sent)) throw bodyRefusal([NOT_AN_OBJECT])
  const names = Object.keys(sent).slice(0, MAX_ISSUES)
  if (names.length > 0) throw bodyRefusal(names.map((name) => unwritableKeyIssue(name, undefined)))
  return skip()
}

const empty: NamedSchema = { name: 'Empty', schema: { type: 'object', additionalProperties: false } }

const bodyOf = ({ bodyBounds }: Rules, { input }: ModelAction): BodyShape => ({
  mediaTypes: [JSON_TYPE],
  ...bodyBounds,
  ...(input === undefined
    ? { required: false, schema: empty, isEmpty: true }
    : { required: !input.isOptional, schema: input.shown, example: input.example }),
})

const successOf = (
  resource: Pick<Resource, 'model' | 'access' | 'bodies'>,
  { on, output }: ModelAction,
): { success: Success; withheld?: Success } => {
  if (output !== undefined) {
    const { shown: schema, example } = output
    return { success: { status: 200, description: 'The result.', mediaType: JSON_TYPE, schema, example } }
  }
  return on === 'record'
    ? writtenSuccess(resource, 'update')
    : { success: { status: 204, description: 'The action has run.' } }
}
