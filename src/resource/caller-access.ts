import {
  type Ask,
  answering,
  bothAnswers,
  type PermissionAnswer,
  reportingFirst,
} from '../controller/answers.ts'
import { assertCaller, identify, type Verb, verbs } from '../controller/permissions.ts'
import type { JsonSchema } from '../model/codec.ts'
import { isReadable } from '../model/model.ts'
import { ownValue } from '../model/objects.ts'
import { hasOperation } from '../model/operations.ts'
import type { Call } from '../operation/call.ts'
import type { Operation } from '../operation/operation.ts'
import { assertNoQuery, skip, takePath } from '../operation/path.ts'
import { readProblems } from '../operation/refusals.ts'
import type { Steps } from '../operation/steps.ts'
import type { NamedSchema } from '../schema/json-schema.ts'
import { membersOf } from '../schema/members.ts'
import { permitting, verbOfAction } from './action/index.ts'
import { servedActs, verbOf } from './document/describe.ts'
import type { ActName } from './document/sentences.ts'
import { namesOf } from './parts/declared.ts'
import { type CallerAccess, isScoped, type Resource } from './parts/resource.ts'
import type { ForCallers } from './per-caller.ts'
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

/** A model, with the permissions of its actions. */
interface Asked {
  readonly whole: Resource
  /** The acts of the model that are served. */
  readonly acts: readonly ActName[]
  readonly actions: readonly (readonly [name: string, on: 'record' | 'collection', access: CallerAccess])[]
}

/** `GET /access`: what the caller of the request may do, by the permissions that other requests meet. */
export const accessOperation = (
  resources: readonly Resource[],
  { operations, ofCaller }: ForCallers,
): Operation => {
  const served = new Set(operations.map(({ id }) => id))
  const all = resources.map(
    (whole): Asked => ({
      whole,
      acts: servedActs(whole.model, served).map(([name]) => name),
      actions: whole.bodies.actions.map((action) => [
        ...([action.name, action.on] as const),
        permitting(whole.access, action),
      ]),
    }),
  )
  const { authenticate, authProblems } =
    resources.find(({ access }) => access.authenticate !== undefined)?.access ?? {}
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
      const limits = new Map()
      const models: [string, ModelAccess][] = []
      for (const asked of all) {
        const { model, access } = asked.whole
        const ask = answering(call, access.scopes.source)
        const answers = yield* answersOf(asked, call.readsOnly === true ? readingOnly(ask) : ask)
        if (!answers.isSeen) continue
        const own = yield* caught(ofCaller(asked.whole, call, limits), call)
        if (own !== undefined) models.push([model.name, accessTo(answers, own)])
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
      example: { models: Object.fromEntries(all.slice(0, 1).map(exampleOf)) },
      headers: { 'Cache-Control': 'Not to be stored, because it depends on the caller.' },
    },
    caller: authenticate === undefined ? 'anyone' : 'decided',
    problems: [
      ...(authenticate === undefined ? [] : (['unauthenticated', 'forbidden'] as const)),
      ...(authProblems?.all ?? []),
      ...(['unknown_parameter', 'not_acceptable', 'internal_error'] as const),
      ...readProblems,
    ],
    run: (call) => path(call),
  })
}

const exampleOf = ({ whole: { model }, acts }: Asked): readonly [string, ModelAccess] => [
  model.name,
  {
    operations: Object.fromEntries(acts.map((name) => [name, 'allowed'])),
    fields: {
      read: membersOf(model, 'detail').map(({ field }) => field.name),
      write: membersOf(model, 'update').map(({ field }) => field.name),
    },
  },
]

/** For a credential that opens only reads. */
const readingOnly = (ask: Ask): Ask =>
  function* (access, asked) {
    return asked.act === 'read' || asked.act === 'deleted' ? yield* ask(access, asked) : 'refused'
  }

/** A model whose hook `access` throws is not there for the caller, as its requests are refused. */
function* caught(own: Steps<Resource>, call: Call): Steps<Resource | undefined> {
  const report = reportingFirst(call)
  try {
    return yield* own
  } catch (error) {
    report(error)
    return undefined
  }
}

interface Answers {
  readonly acts: ReadonlyMap<ActName, PermissionAnswer>
  readonly actions: readonly (readonly [string, PermissionAnswer])[]
  /** Lists below other records and includes may show it. */
  readonly isReached: boolean
  readonly trash: PermissionAnswer | undefined
  /** Something is not refused. */
  readonly isSeen: boolean
}

function* answersOf({ whole: { model, access }, acts, actions }: Asked, ask: Ask): Steps<Answers> {
  const answerTo = (verb: Verb, own = access) => ask(own, verbs[verb])
  const listed = yield* answerTo('list')
  const deleted =
    model.softDelete === undefined ? undefined : yield* ask(access, { act: 'deleted', onRecord: false })
  const also: Readonly<Partial<Record<ActName, PermissionAnswer | undefined>>> = {
    ...{ restore: deleted, deleteMany: listed },
  }
  const found = new Map<ActName, PermissionAnswer>()
  for (const name of acts) {
    const answer = yield* answerTo(verbOf(name))
    found.set(name, bothAnswers(answer, ownValue(also, name) ?? 'allowed'))
  }
  const acted: [string, PermissionAnswer][] = []
  for (const [name, on, own] of actions) acted.push([name, yield* answerTo(verbOfAction({ on }), own)])
  const isReached = hasOperation(model, 'related') && listed !== 'refused'
  const isOpen = [...found, ...acted].some(([, answer]) => answer !== 'refused')
  return {
    ...{ acts: found, actions: acted, isReached, isSeen: isOpen || isReached },
    trash: deleted && bothAnswers(deleted, listed),
  }
}

const accessTo = ({ acts, actions, isReached, trash }: Answers, resource: Resource): ModelAccess => {
  const { model, bodies } = resource
  const found = [...acts].map(([name, answer]): readonly [ActName, PermissionAnswer] => [
    name,
    name === 'create' && lacksFields(resource) ? 'refused' : answer,
  ])
  const may = (...names: readonly ActName[]): boolean =>
    found.some(([name, answer]) => names.includes(name) && answer !== 'refused')
  const written = new Set(
    (['create', 'update', 'replace'] as const)
      .filter((which) => may(which))
      .flatMap((which) => membersOf(model, which).map(({ field }) => field.name)),
  )
  return {
    operations: Object.fromEntries(found),
    ...(actions.length > 0 && { actions: Object.fromEntries(actions) }),
    ...(trash !== undefined && { trash }),
    fields: {
      read:
        may('list', 'get') || isReached
          ? [...model.fields.filter(isReadable).map(({ name }) => name), ...namesOf(bodies.computed)]
          : [],
      write: model.fields.map(({ name }) => name).filter((name) => written.has(name)),
    },
  }
}

/** Whether a new record needs fields that this caller cannot send, and that nothing else fills. */
const lacksFields = ({ access, bodies }: Resource): boolean => {
  const isFilled = access.controller?.hooks.beforeCreate !== undefined || isScoped(access)
  return !isFilled && !bodies.isCustom.create && (access.lacking?.size ?? 0) > 0
}

const named = (name: string, schema: JsonSchema, uses: readonly NamedSchema[] = []): NamedSchema =>
  Object.freeze({ name, schema, uses })

const refTo = ({ name }: NamedSchema): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

const object = (properties: Readonly<Record<string, JsonSchema>>, required: readonly string[]) => ({
  ...{ type: 'object', required, properties, additionalProperties: true },
})

const eachOf = (one: NamedSchema, description: string): JsonSchema => ({
  ...{ type: 'object', description, additionalProperties: refTo(one) },
})

// Generators lose types that stand inside of others.
const answer = named('PermissionAnswer', { type: 'string', enum: ['allowed', 'refused', 'depends'] })
const names: JsonSchema = { type: 'array', items: { type: 'string' } }
const fields = named('FieldAccess', object({ read: names, write: names }, ['read', 'write']))

const modelAccess = named(
  'ModelAccess',
  object(
    {
      operations: eachOf(answer, 'Such as `list`, `get`, `create`, `update` and `delete`.'),
      actions: eachOf(answer, 'By the name of the action.'),
      trash: refTo(answer),
      fields: refTo(fields),
    },
    ['operations', 'fields'],
  ),
  [answer, fields],
)

const schema = named(
  'AccessOfCaller',
  object(
    {
      models: eachOf(
        modelAccess,
        'By the name of the model. Models of which everything is refused are missing.',
      ),
    },
    ['models'],
  ),
  [modelAccess],
)
