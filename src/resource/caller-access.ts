import { answering, bothAnswers, type PermissionAnswer } from '../controller/answers.ts'
import type { AnyAct } from '../controller/controller.ts'
import { assertCaller, identify, needsCaller, type Verb, verbs } from '../controller/permissions.ts'
import { isReadable } from '../model/model.ts'
import type { Call } from '../operation/call.ts'
import type { Operation } from '../operation/operation.ts'
import { assertNoQuery, skip, takePath } from '../operation/path.ts'
import { readProblems } from '../operation/refusals.ts'
import type { Steps } from '../operation/steps.ts'
import type { NamedSchema } from '../schema/json-schema.ts'
import { membersOf } from '../schema/members.ts'
import { permitting, verbOfAction } from './action/index.ts'
import { actNames, idOf, verbOf } from './document/describe.ts'
import { namesOf } from './parts/declared.ts'
import type { CallerAccess, Resource } from './parts/resource.ts'
import type { ForCallers, OwnResource } from './per-caller.ts'
import { JSON_TYPE, jsonReply } from './show/replies.ts'

/** What a caller may do with a model. */
interface ModelAccess {
  readonly operations: Readonly<Record<string, PermissionAnswer>>
  /** Absent: the model has none. */
  readonly actions?: Readonly<Record<string, PermissionAnswer>>
  /** Whether the caller may see deleted records. Absent: the model has no trash. */
  readonly trash?: PermissionAnswer
  readonly fields: Readonly<Record<'read' | 'write', readonly string[]>>
}

/** `GET /access`: what the caller of the request may do, by the permissions that other requests meet. */
export const accessOperation = (
  resources: readonly Resource[],
  { operations, ofCaller }: ForCallers,
): Operation => {
  const served = new Set(operations.map(({ id }) => id))
  const authenticate = resources.map(({ access }) => access.authenticate).find((one) => one !== undefined)
  const path = takePath({
    mediaType: JSON_TYPE,
    ask: assertNoQuery,
    *enter(call) {
      if (authenticate !== undefined) identify(call, yield* authenticate(call))
      // Who sends an old token would take the rights of anyone for their own.
      if (call.challenge !== undefined) assertCaller(call)
      return call
    },
    find: skip,
    validate: skip,
    *act(_asked, _input, call) {
      const [limits, ask] = [new Map(), answering()]
      const models: [string, ModelAccess][] = []
      for (const resource of resources) {
        const access = yield* accessTo(yield* ofCaller(resource, call, limits), { call, served, ask })
        const all = [...Object.values(access.operations), ...Object.values(access.actions ?? {})]
        if (all.some((answer) => answer !== 'refused')) models.push([resource.model.name, access])
      }
      return JSON.stringify({ models: Object.fromEntries(models) })
    },
    reply: (text) => {
      const { headers, ...reply } = jsonReply(text)
      return { ...reply, headers: { ...headers, 'cache-control': 'private, no-store' } }
    },
  })
  return Object.freeze<Operation>({
    id: 'getAccess',
    method: 'GET',
    path: '/access',
    tag: 'Access',
    summary: 'Get what the caller may do',
    description:
      'For each model that the caller may use: which operations and actions are allowed, refused or depend on the record, and which fields the caller may read and write.',
    parameters: [],
    success: {
      status: 200,
      description: 'The rights of the caller.',
      mediaType: JSON_TYPE,
      schema,
      example: { models: {} },
      headers: { 'Cache-Control': 'Not to be stored, because it depends on the caller.' },
    },
    caller: authenticate === undefined ? 'anyone' : 'decided',
    problems: [
      ...(authenticate === undefined ? [] : (['unauthenticated', 'forbidden'] as const)),
      ...(['unknown_parameter', 'not_acceptable', 'internal_error'] as const),
      ...readProblems,
    ],
    run: (call) => path(call),
  })
}

interface Asked {
  readonly call: Call
  /** The ids of all operations. */
  readonly served: ReadonlySet<string>
  readonly ask: ReturnType<typeof answering>
}

function* accessTo({ resource, operations }: OwnResource, { call, served, ask }: Asked): Steps<ModelAccess> {
  const { model, bodies } = resource
  const answer = (access: CallerAccess, verb: Verb, act: AnyAct = verbs[verb].act): Steps<PermissionAnswer> =>
    ask(access, act, {
      ...{ call, session: access.scopes.source, onRecord: act !== 'deleted' && verbs[verb].onRecord },
      needsCaller: act !== 'deleted' && needsCaller(access, verbs[verb].act),
    })
  const { access } = resource
  const trash = model.softDelete === undefined ? undefined : yield* answer(access, 'list', 'deleted')
  const found: [string, PermissionAnswer][] = []
  for (const name of actNames) {
    const id = idOf(model, name)
    if (name === 'file' || !served.has(id)) continue
    const own = operations.has(id) ? yield* answer(access, verbOf(name)) : 'refused'
    found.push([name, name === 'restore' ? bothAnswers(own, trash ?? 'refused') : own])
  }
  const acted: [string, PermissionAnswer][] = []
  for (const action of bodies.actions)
    acted.push([action.name, yield* answer(permitting(access, action), verbOfAction(action))])
  const may = (...names: readonly string[]): boolean =>
    found.some(([name, own]) => names.includes(name) && own !== 'refused')
  const written = new Set(
    (['create', 'update', 'replace'] as const)
      .filter((which) => may(which))
      .flatMap((which) => membersOf(model, which).map(({ field }) => field.name)),
  )
  return {
    operations: Object.fromEntries(found),
    ...(acted.length > 0 && { actions: Object.fromEntries(acted) }),
    ...(trash !== undefined && { trash }),
    fields: {
      read: may('list', 'get')
        ? [...model.fields.filter(isReadable).map(({ name }) => name), ...namesOf(bodies.computed)]
        : [],
      write: model.fields.map(({ name }) => name).filter((name) => written.has(name)),
    },
  }
}

const answers = { type: 'string', enum: ['allowed', 'refused', 'depends'] } as const
const names = { type: 'array', items: { type: 'string' } } as const
const each = (schema: object, description: string) => ({
  ...{ type: 'object', description, additionalProperties: schema },
})

const schema: NamedSchema = Object.freeze({
  name: 'AccessOfCaller',
  schema: {
    type: 'object',
    required: ['models'],
    properties: {
      models: each(
        {
          type: 'object',
          required: ['operations', 'fields'],
          properties: {
            operations: each(answers, 'Such as `list`, `get`, `create`, `update` and `delete`.'),
            actions: each(answers, 'By the name of the action.'),
            trash: { ...answers, description: 'Whether the caller may see deleted records.' },
            fields: {
              type: 'object',
              required: ['read', 'write'],
              properties: { read: names, write: names },
              additionalProperties: true,
            },
          },
          additionalProperties: true,
        },
        'By the name of the model. Models of which everything is refused are missing.',
      ),
    },
    additionalProperties: true,
  },
})
