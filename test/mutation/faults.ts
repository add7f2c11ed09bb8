import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lineAt, type Node, nodesOf, readSources, type SourceFile } from '../structure/source-files.ts'

/** The folder of the project. */
export const project: string = join(import.meta.dirname, '..', '..')

/** What stands in the place of a text of a source file. */
export interface Fault {
  /** `src/resource/page.ts:51 list(…, everything)` */
  readonly name: string
  /** The name without its line, which changes with the lines above, and with a number where there are several. */
  readonly key: string
  /** Below the folder of the project. */
  readonly path: string
  readonly start: number
  readonly end: number
  readonly text: string
}

type Unkeyed = Omit<Fault, 'key'>

/** What a guard is that was forgotten. The source imports it under this name where a fault is planted. */
export const FORGOTTEN = 'everythingIsInReach'

/** Conditions that limit whom a caller may reach, wherever they are passed on. */
const guards: ReadonlySet<unknown> = new Set(['guard', 'reach'])

/** The names of scopes. */
const scopes: ReadonlySet<unknown> = new Set(['scoped', 'scope', 'reached', 'matching'])

/** Acts on records, and what narrows their scope, which is their first argument. */
const scoping: ReadonlySet<string> = new Set([
  ...['read', 'list', 'count', 'aggregate', 'lock', 'update', 'remove', 'take', 'narrowedScope'],
])

/** Where guards are passed on. */
const rooms = ['src/resource/', 'src/controller/', 'src/source/', 'src/auth/']

const nameOf = (node: unknown): unknown => {
  const { type, name, property } = Object(node)
  return type === 'MemberExpression' ? nameOf(property) : type === 'Identifier' ? name : undefined
}

/** The structure of a statement and its text take the same guard: only an act that forgets both still runs. */
const parts: ReadonlySet<unknown> = new Set(['guardShape', 'guardedKeySql'])

const isGuard = (node: unknown): node is Node => guards.has(nameOf(node))

/** A guard is forgotten among what is given, or taken for none where it is compared with none. */
const forgottenIn = (file: SourceFile): readonly Unkeyed[] => {
  const { path, text } = file
  const faultAt = ({ start, end }: Node, what: string, instead: string): Unkeyed => {
    const name = `${path}:${lineAt(text, start)} ${what}`
    return { path, start, end, name, text: instead }
  }
  return nodesOf(file).flatMap((node): readonly Unkeyed[] => {
    const { type, callee, arguments: given, left, right, operator } = Object(node)
    if (type === 'CallExpression' && !parts.has(nameOf(callee))) {
      const name = String(nameOf(callee))
      const [scope] = given as readonly Node[]
      const isScoped = scoping.has(name) && scopes.has(nameOf(scope)) && path.startsWith('src/resource/')
      return [
        ...(given as readonly unknown[])
          .filter(isGuard)
          .map((guard) => faultAt(guard, `${name}(…, everything)`, FORGOTTEN)),
        ...(isScoped && scope !== undefined
          ? [faultAt(scope, `${name}(everything, …)`, `{ guard: ${FORGOTTEN} }`)]
          : []),
      ]
    }
    if (type !== 'BinaryExpression' || !isGuard(left) || nameOf(right) !== 'everything') return []
    return [faultAt(node, `guard ${operator} everything`, String(operator === '==='))]
  })
}

/** Acts of a store that forget the guard that they are given, in the statement and in what it is kept by. */
const forgettingActs = ({ path, text }: SourceFile): readonly Unkeyed[] =>
  nodesOf({ path, text }).flatMap((node): readonly Unkeyed[] => {
    const { type, params, body } = Object(node)
    const guard = (params as readonly Node[] | undefined)?.find(isGuard)
    if (!path.startsWith('src/source/') || guard === undefined) return []
    if (type !== 'ArrowFunctionExpression' || body.type !== 'BlockStatement') return []
    const { start } = body as Node
    const name = `${path}:${lineAt(text, guard.start)} (…, guard) => forgotten`
    const forget = `${String(nameOf(guard))} = ${FORGOTTEN};`
    return [{ path, name, start, end: start + 1, text: `{ ${forget}` }]
  })

/** A fault of another kind: where it is, a text that stands there once, and what stands there instead. */
type Planted = readonly [path: string, what: string, instead: string]

const planted: readonly Planted[] = [
  ['src/resource/parts/record.ts', 'if (isLimited) scoped.guard', 'if (false) scoped.guard'],
  ['src/resource/parts/record.ts', "permission === 'public' && !isLimited", "permission === 'public'"],
  [
    'src/resource/parts/building.ts',
    "kind === 'to-one' && inherited === undefined && isChecked(target)",
    'false',
  ],
  ['src/resource/write/references.ts', 'if (missing.length > 0) throw', 'if (false) throw'],
  ['src/resource/write/references.ts', 'if (!(yield* isInReach(reference, record, session)))', 'if (false)'],
  [
    'src/resource/write/references.ts',
    'if (!relation.fields.some((name) => fields.includes(name))) continue',
    'continue',
  ],
  [
    'src/resource/parts/reach.ts',
    'yield* guardOf(scopes, target?.model ?? modelOf(use.model), scoped)',
    FORGOTTEN,
  ],
  ['src/resource/write/plan.ts', 'filledValues(ends, scoped.guard)', 'ends'],
  ['src/model/narrowed.ts', '&& (read.has(field.name) || model.primaryKey.includes(field.name))', ''],
  ['src/model/narrowed.ts', 'isWritable(field) && write.has(field.name)', 'isWritable(field)'],
  [
    'src/resource/parts/building.ts',
    '[...body.declared].filter((name) => !closed.has(name))',
    '[...body.declared]',
  ],
  ['src/resource/document/related.ts', '...resource.rules.openRelations,', '...[],'],
  ['src/resource/document/related.ts', '...uses(query).map(({ model }) => model)', ''],
  ['src/resource/document/related.ts', '...always, ', ''],
  ['src/resource/document/related.ts', '...namesFrom(resource, allRelations)', ''],
  ['src/host/fastify/routes.ts', 'declareInstead(context, instead, serve, rules)', 'void 0'],
  [
    'src/resource/per-caller.ts',
    "if ((operation.caller === 'required' || operation.caller === 'session') && !isOfFiles(operation))",
    'if (false)',
  ],
  ['src/resource/per-caller.ts', 'permissionActs.every((act) => needsCaller(access, act))', 'false'],
  ['src/resource/parts/building.ts', ' && !isNarrowed(access)', ''],
  ['src/resource/parts/parsers.ts', "{narrowing ?? ''} ", "{''} "],
  ['src/auth/users/own-record.ts', 'yield* assertFree(values, record, session)', ''],
  ['src/resource/per-caller.ts', 'textOf(deciding, yield* limitsFor(deciding, call)) !== text', 'false'],
  [
    'src/resource/read/file.ts',
    'if (!media.fields.some(({ name }) => name === address.field)) throw',
    'if (false) throw',
  ],
  ['src/resource/write/checked.ts', 'if (record !== undefined) assertMatch(change.match, record)', ''],
  ['src/resource/write/operations.ts', 'assertMatch(match, found)', ''],
  [
    'src/resource/write/operations.ts',
    'yield* assertMatchAllowed(target, scoped, { match, seen: found })',
    '',
  ],
  ['src/resource/write/if-match.ts', 'sent === undefined && model.requireIfMatch === true', 'false'],
  ['src/resource/write/if-match.ts', 'if (!(yield* mayRead(access, scoped, stored))) throw changed()', ''],
  ['src/resource/write/if-match.ts', 'sent.filter(({ isWeak }) => !isWeak)', 'sent'],
  ['src/source/versions.ts', 'both(guard, same)', 'guard'],
  ['src/source/sql/gate.ts', 'createMany: alone(createMany)', 'createMany'],
  ['src/source/sql/write-many.ts', 'if (row.values.some((value) => value instanceof Sql))', 'if (false)'],
  ['src/resource/write/prepare.ts', 'throw cannotComplete()', 'void cannotComplete()'],
  [
    'src/resource/document/sentences.ts',
    "target === undefined ? 'a record' : withArticle(other)",
    'withArticle(other)',
  ],
  ['src/resource/index.ts', 'relation.references.every((name)', '[].every((name)'],
  ['src/resource/write/operations.ts', 'both(scoped.guard, parent)', 'both(parent, scoped.guard)'],
  [
    'src/resource/show/presenting.ts',
    'shown.length === rows.length && found.includes(-1)',
    'shown.length === rows.length',
  ],
  ['src/app/model-rest.ts', 'if (isNews) this.#setup = setupOf(this.#setup, found.controllers)', ''],
  ['src/app/controller-options.ts', '(isKey ? ownValue(Object(own), key) : own) !== undefined', 'false'],
  ['src/error/settings.ts', 'if (other !== undefined)', 'if (false)'],
  ['src/host/fetch/answer.ts', 'if (isRead(request)) throw alreadyRead()\n    if (body', 'if (body'],
  ['src/host/fetch/answer.ts', "isOfNext(request) || 'cf' in request", 'isOfNext(request)'],
  ['src/host/fetch/lazy.ts', 'performance.now() - failedAt >= PAUSE', 'true'],
  ['src/host/node/parsed.ts', 'const MOST_DIGITS = 15', 'const MOST_DIGITS = 17'],
  ['src/host/express/index.ts', 'routeTable(base, { literal: true })', 'routeTable(base)'],
  ['src/host/nest/enhancers.ts', 'if (!hasStarted && !raw.destroyed)', 'if (!hasStarted)'],
  [
    'src/host/nest/enhancers.ts',
    'const start = () => serve.start',
    'void serve.start(operation, call)\n      const start = () => serve.start',
  ],
  ['src/host/nest/enhancers.ts', '...config.getGlobalRequestGuards(), ', ''],
  ['src/host/nest/enhancers.ts', 'if (loaded.introspect(one).scope !== Scope.DEFAULT)', 'if (false)'],
  ['src/openapi/merge.ts', '&& !Object.hasOwn(taken, method)', ''],
  ['src/openapi/options.ts', 'logo !== undefined && !logoForm.test(logo)', 'false'],
  ['src/openapi/options.ts', 'color !== undefined && !isColor(color)', 'false'],
  [
    'src/resource/write/body.ts',
    'bodies.isCustom[verb] ? [...names, ...Object.keys(values)] : names',
    'names',
  ],
  ['src/resource/write/checked.ts', 'if (record !== undefined && isAsked)', 'if (false)'],
  ['src/resource/write/checked.ts', "showsBefore(access, 'update') ||", ''],
  ['src/resource/write/checked.ts', '    audited !== undefined ||\n', ''],
  ['src/resource/write/run.ts', 'records.audited !== undefined ||', ''],
  ['src/operation/audit.ts', 'isReadable(field)', 'true'],
  ['src/auth/users/user-writes.ts', ', locks: true', ''],
  ['src/auth/users/user-writes.ts', 'author === undefined', 'true'],
  ['src/app/setup.ts', 'return withPasswordHidden(model)', 'return model'],
  ['src/resource/write/checked.ts', '!entries.primaryKey.includes(name)', 'true'],
  ['src/resource/parts/record.ts', 'if (entries !== undefined) yield*', 'if (false) yield*'],
  ['src/model/setup/stamps.ts', "? 'hidden' : 'read-only'", "? 'hidden' : 'read-write'"],
  ['src/resource/write/prepare.ts', "withStamps(model, scoped.call, 'update', all)", 'all'],
  [
    'src/resource/write/if-match.ts',
    "model.version !== undefined || permissions.read === 'public'",
    "model.version !== undefined || permissions.read !== ''",
  ],
  ['src/resource/write/if-match.ts', 'counter === undefined && !canLock(source.capabilities)', 'false'],
  ['src/resource/write/checked.ts', 'narrowedScope(reached, matchCondition(match))', 'reached'],
  ['src/resource/write/if-match.ts', "assertNoOthers(call, ['if-match'])", ''],
  ['src/source/versions.ts', '=> create(versioned(values))', '=> create(values)'],
  ['src/source/versions.ts', '!Object.hasOwn(values, name) && ', ''],
  ['src/source/versions.ts', 'Math.max(Date.now(), past + unit)', 'Date.now()'],
  ['src/operation/audit.ts', 'if (Object.keys(changes).length === 0) return undefined', ''],
  ['src/resource/write/checked.ts', 'hasFiles || audited !== undefined', 'hasFiles'],
  ['src/model/audit.ts', 'readOnly: true', 'readOnly: false'],
  ['src/model/setup/soft-deletion.ts', "access: 'read-only' as const", "access: 'read-write' as const"],
  ['src/resource/write/plan.ts', 'yield* boundReferences(access, scoped, change)', '[]'],
  ['src/resource/write/checked.ts', 'if (audited !== undefined) {', 'if (false) {'],
  ['src/operation/stamps.ts', 'isCreate || !onCreate', 'true'],
  ['src/resource/parts/record.ts', '!isReadHooked(resource)', 'true'],
  ['src/resource/parts/reach.ts', '|| isPresented(target)', ''],
  ['src/resource/read/page.ts', '!takesWhole(resource, query.fields)', 'true'],
  ['src/resource/show/include.ts', '|| takesWhole(target, fields)', ''],
  ['src/resource/show/include.ts', 'mayShare: !isWhole', 'mayShare: true'],
  ['src/resource/parts/records.ts', 'own === store && mayShare', 'mayShare'],
  ['src/source/shared-reads.ts', 'guardKey(both(filter, guard))', 'guardKey(filter)'],
  ['src/source/shared-reads.ts', 'if (!isAdmitted) {', 'if (false) {'],
  ['src/resource/write/run.ts', '!isPresented(target) &&', ''],
  ['src/resource/write/run.ts', "access.permissions.read === 'public' &&", ''],
  ['src/resource/write/run.ts', 'access.scopedReferences.length === 0 &&', ''],
  [
    'src/resource/write/run.ts',
    'if (!(yield* mayRead(resource.access, scoped, stored.record)))',
    'if (false)',
  ],
  [
    'src/resource/write/body.ts',
    '(yield* mayRead(access, scoped, found)) ? found : keyOnly(model, found)',
    'found',
  ],
  [
    'src/resource/parts/record.ts',
    'authorise(access, verbs[verb].act, { call, session, ...(record && { record }) })',
    'wait(undefined)',
  ],
  ['src/resource/write/below.ts', 'among: equalTo(parent)', 'among: undefined as never'],
  ['src/resource/write/below.ts', "{ op: 'related', relation: far.name, condition: farReach }", FORGOTTEN],
  ['src/resource/write/nested.ts', 'yield* guardOf(scopes, target.model, scoped)', FORGOTTEN],
  [
    'src/resource/write/create-many.ts',
    'guard !== everything && !(yield* areInScope(',
    'guard === everything && !(yield* areInScope(',
  ],
  ['src/resource/write/create-many.ts', 'yield* areInReach(', 'true || areInReach('],
  ['src/resource/write/plan.ts', 'yield* permit(access, verb, scoped, seen)', ''],
  [
    'src/resource/write/matching.ts',
    'yield* locating(target, scoped.call, [], () => permit(access, verb, scoped, row))',
    'yield* []',
  ],
  ['src/resource/write/many.ts', 'if (length > bulkMax)', 'if (false)'],
  ['src/model/operations.ts', "hasOperation(model, 'list')", 'true'],
  ['src/resource/write/many.ts', 'assertSize(records, sent)', ''],
  ['src/resource/write/create-many.ts', " || hasAfterHook(access, 'create')", ''],
  ['src/resource/write/start-checks.ts', 'model.requireIfMatch === true && takesChanges(parent)', 'false'],
  ['src/controller/commits.ts', 'failures.length <= MOST_LOGGED', 'true'],
  [
    'src/resource/write/matching.ts',
    'controller?.hooks.afterCommit !== undefined || files !== undefined',
    'controller?.hooks.afterCommit !== undefined',
  ],
  ['src/resource/write/matching.ts', 'if (found.length > bulkMax)', 'if (false)'],
  ['src/query/tally.ts', 'if (tally.toMany <= maxToMany) return', 'if (true) return'],
  [
    'src/query/shared-subqueries.ts',
    "const isAboutAny = isNot === (op === 'and')",
    'const isAboutAny = true',
  ],
  ['src/query/shared-subqueries.ts', 'isAboutAny || leadsToOne', 'leadsToOne'],
  ['src/query/bulk.ts', 'if (filter === everything) throw', 'if (false) throw'],
  ['src/resource/write/below.ts', 'byKey(target, all)', 'all'],
  ['src/resource/write/nested.ts', 'yield* guardOf(scopes, scopes.modelOf(far.model), scoped)', FORGOTTEN],
  [
    'src/resource/parts/record.ts',
    "access.permissions.read === 'public' ? wait(true)",
    "access.permissions.read !== '' ? wait(true)",
  ],
  [
    'src/resource/read/file.ts',
    'scoped.until === undefined\n            ? yield* find',
    'false\n            ? yield* find',
  ],
  [
    'src/resource/read/file.ts',
    "if (typeof key !== 'string' || lastName(key) !== name) throw",
    "if (typeof key !== 'string') throw",
  ],
  [
    'src/controller/scope.ts',
    "op: 'related', relation: name, condition: equalitiesOf(value, modelOf(relation.model), modelOf)",
    `op: 'related', relation: name, condition: ${FORGOTTEN}`,
  ],
  [
    'src/controller/scope.ts',
    "conditions.length === 1 && conditions[0] !== undefined ? conditions[0] : { op: 'and', conditions }",
    'conditions[0] as Condition',
  ],
  ['src/controller/scope.ts', 'if (choices.includes(everything)) return everything', 'return everything'],
  ['src/controller/scope.ts', 'scoped.guards?.get(model.name)', '[...(scoped.guards?.values() ?? [])][0]'],
  [
    'src/resource/action/run.ts',
    "yield* authoriseChanged(own, scoped, transaction, { verb: 'update', seen }, record)",
    '',
  ],
  ['src/resource/action/run.ts', 'yield* boundReferences(access, scoped, { fields })', '[]'],
  ['src/resource/action/index.ts', ': { [verbOfAction(action)]: permission }),', ': {}),'],
  [
    'src/controller/answers.ts',
    "if (needsCaller(permitting, act) && call.caller === undefined) return 'refused'",
    '',
  ],
  ['src/controller/answers.ts', "return may ? 'allowed' : 'refused'", "return 'allowed'"],
  [
    'src/resource/caller-access.ts',
    "name === 'create' && lacksFields(resource) ? 'refused' : answer",
    'answer',
  ],
  ['src/resource/caller-access.ts', "may('list', 'get') || isReached", 'true'],
  ['src/resource/caller-access.ts', 'if (!answers.isSeen) continue', ''],
  ['src/resource/document/vocabulary.ts', 'isReadable(field) || isWritable(field)', 'true'],
  ['src/source/sql/aggregate.ts', "if (having !== undefined) draft.key += 'having;'", ''],
  ['src/auth/users/own-record.ts', 'scope: ownScope(userKeyOf(users))', 'scope: () => ({})'],
  ['src/auth/users/own-record.ts', "field.access === 'write-only' ? 'hidden' : 'read-only'", "'read-only'"],
  ['src/auth/users/own-record.ts', 'if (caller === null) return []', 'if (caller === null) return {}'],
  ['src/auth/users/own-record.ts', 'isDeepStrictEqual(own.value, requested.value)', 'true'],
  [
    'src/auth/users/accounts.ts',
    'claims.account !== undefined && claims.account === accountIn(row) ? row : undefined',
    'row',
  ],
  [
    'src/auth/authenticate-key.ts',
    'if (keyIn(call, settings) === undefined) return yield* byToken(call)',
    'return yield* byToken(call)',
  ],
  ['src/auth/authenticate-key.ts', "sent?.by === 'header' &&", ''],
  ['src/auth/authenticate-key.ts', 'if (!isSafe(call)) throw readsOnly()', ''],
  ['src/auth/authenticate-key.ts', 'call.readsOnly = true', ''],
  ['src/auth/authenticate-key.ts', 'nowInSeconds() !== since && (yield*', 'false && (yield*'],
  ['src/auth/authenticate-key.ts', 'key === undefined || isExpired(key)', 'key === undefined'],
  ['src/auth/authenticate-key.ts', 'isBound && account !== undefined &&', 'false &&'],
  ['src/auth/authenticate-key.ts', 'yield* limit.assertOpen(call.address)', 'void 0'],
  ['src/auth/authenticate-key.ts', 'if (isCounted) return', ''],
  ['src/auth/authenticate-key.ts', 'if (known === undefined) yield* limit.enter(call.address)', ''],
  ['src/auth/authenticate-key.ts', 'if (Math.abs(now - last) < MINUTE) return', ''],
  ['src/auth/own-keys.ts', 'if (hash === undefined) return', 'if (password === undefined) return'],
  ['src/auth/own-keys.ts', 'if (isTheirs === undefined) throw', 'if (false) throw'],
  ['src/auth/own-keys.ts', '!isDisabled(locked) &&', ''],
  ['src/auth/own-keys.ts', 'accounts.keysComeAgain && key.account !== account', 'false'],
  ['src/auth/own-keys.ts', '|| isOthers(key)', ''],
  ['src/auth/own-keys.ts', 'accounts.subjectOf(locked, 0).account === account', 'true'],
  [
    'src/auth/own-keys.ts',
    '(yield* ownKeys(parts, row)).find((own) => own.id === id)',
    '{ id: String(id) } as never',
  ],
  ['src/auth/keys/key-model.ts', "access: 'hidden' as const", "access: 'read-only' as const"],
  ['src/auth/password-change.ts', 'if (!isTheirs) return undefined', ''],
  ['src/auth/password-change.ts', 'model.fields.filter(isReadable)', 'model.fields'],
  ['src/auth/password-change.ts', 'if (call.confirm !== undefined) yield* call.confirm()', ''],
  ['src/auth/password-change.ts', 'if (isDisabled(stored)) throw tokenRefused()', ''],
  ['src/auth/tokens/claims.ts', 'if (reserved.has(name)) throw', 'if (false) throw'],
  ['src/auth/issue-tokens.ts', 'row === undefined || isDisabled(row)', 'row === undefined'],
  ['src/auth/tokens/keys.ts', 'if (JWKS)', 'if (false)'],
  ['src/auth/users/own-record.ts', 'email.name) && isVerified(record, verified)', 'email.name)'],
  ['src/auth/mails/mail-tokens.ts', 'counts.every((', 'counts.slice(0, 1).every(('],
  ['src/auth/mails/mail-tokens.ts', 'FIRST_PAUSE * 2 ** mails', 'FIRST_PAUSE'],
  ['src/auth/mails/mail-tokens.ts', 'pauseAfter(sent) + DAY', 'FIRST_PAUSE'],
  ['src/auth/mails.ts', 'yield* mailTokens.forgive(mailed)', ''],
  ['src/auth/mails.ts', 'else yield* parts.mailTokens.pretend(mail.purpose, address)', ''],
  ['src/auth/mails/mail-queue.ts', 'randomInt(SHORTEST_PAUSE, LONGEST_PAUSE)', '0'],
  ['src/auth/users/user-writes.ts', 'found.filter((row) => isAbandoned(row, password.name))', 'found'],
  ['src/source/soft-deletion.ts', 'unfinished === undefined', 'true'],
  [
    'src/auth/users/accounts.ts',
    'return yield* served.text(row, call)',
    'return record({ ...row, ...noFiles })',
  ],
  ['src/app/registration.ts', 'yield* perCaller.ofCaller(ofUsers, call)', 'ofUsers'],
  ['src/auth/mails/mail-tokens.ts', 'mailed.purpose === purpose && Date.now() < until', 'Date.now() < until'],
  ['src/auth/mails.ts', 'addressIn(parts, row) === mailed.email', 'true'],
  ['src/auth/mails.ts', 'if (seen.size > MOST_OBJECTS) return true', ''],
  ['src/auth/password-reset.ts', 'account === mailed.account ? row', 'account !== undefined ? row'],
  ['src/auth/mails.ts', 'if (!(yield* mailTokens.take(token, mailed.purpose))) throw', 'if (false) throw'],
  ['src/auth/managed-users.ts', 'user === null || isDisabled(user as Row)', 'user === null'],
  ['src/auth/managed-users.ts', "typeof create === 'function'", 'false'],
  ['src/auth/managed-users.ts', 'create === undefined ? opened : undefined', '[]'],
  ['src/auth/managed-users.ts', 'if (!isInvited(record, user.password))', 'if (false)'],
  ['src/auth/managed-users.ts', 'row === undefined || isDisabled(row)', 'false'],
  [
    'src/auth/managed-users.ts',
    'if (disables && accounts.subOf(call.caller?.id) === accounts.toSub(record))',
    'if (false)',
  ],
  ['src/auth/managed-users.ts', 'if (disables && sessions.revokeUser !== undefined)', 'if (false)'],
  ['src/auth/managed-users.ts', 'if (yield* mailTokens.mayMail(mailed)) return', 'return'],
  [
    'src/auth/managed-users.ts',
    'current !== undefined && mail.isFor(parts, current)',
    'current !== undefined',
  ],
  ['src/auth/password-reset.ts', 'isDisabled(row) || isInvited(row, user.password)', 'isDisabled(row)'],
  ['src/resource/action/index.ts', "needsCaller: own ? ['update'] : []", 'needsCaller: []'],
  [
    'src/resource/action/creating.ts',
    'isTaken(error) ? yield* creates.found(change.values) : undefined',
    'undefined',
  ],
  ['src/resource/action/creating.ts', "error instanceof HttpError && error.code === 'not_found'", 'false'],
  ['src/auth/limits/throttle.ts', "if (by === 'identifier') ", ''],
  ['src/auth/sessions/session-list.ts', 'areEnded(sub, sessions)', 'areEnded(sub, [])'],
  ['src/query/translation.ts', 'both(own, by.guardOf(model))', 'own'],
  ['src/query/translation.ts', 'guarded(condition.condition, end, by)', 'condition.condition'],
  ['src/query/translation.ts', 'guarded(condition.link, through.model, by)', 'everything'],
  ['src/query/translation.ts', 'const all = guarded(guard, at.name, by)', 'const all = guard ?? everything'],
  [
    'src/query/sort.ts',
    'target.unknown !== undefined || isHidden(name, place.model)',
    'target.unknown !== undefined',
  ],
  ['src/query/related.ts', 'use.isOptional ? [] : [use.model]', '[use.model]'],
  [
    'src/query/related.ts',
    'visit(modelOf(relationOf(from, relation).model), selection, include)',
    'void [relation, selection, include]',
  ],
  ['src/query/tally.ts', 'through === undefined ? [model] : [model, through.model]', '[model]'],
  ['src/query/tally.ts', '[{ model }, { model: through.model, from }]', '[{ model }]'],
  ['src/resource/parts/building.ts', 'pureJoins.has(model) ? from : model', 'from'],
  ['src/model/setup/pure-joins.ts', '!hidesRecords(join) && join.fields', 'join.fields'],
  ['src/query/places.ts', 'if (field.field.jsonPaths !== true)', 'if (false)'],
  ['src/query/parameters.ts', '/[~^](?==)|[=!<>(]/', '/[=!<>(]/'],
  ['src/query/json-conditions.ts', '/["\\\\\\p{Cc}]/u', '/(?!)/'],
  ['src/source/sql/double.ts', 'isPower ? 1n : 2n', '2n'],
  ['src/source/sql/sqlite-dialect.ts', 'exact = searched }, [from, to]', '}, [from, to]'],
  ['src/resource/parts/reach.ts', '{[...left].join()} ', "{''} "],
  ['src/resource/read/page.ts', 'uses.filter(({ isOptional }) => isOptional !== true)', '[]'],
  ['src/source/sharing.ts', '{shown.length}:', "{''}:"],
  ['src/resource/read/page.ts', '{list.id} ', "{''} "],
  ['src/resource/read/page.ts', '{sharers}`', "{''}`"],
  ['src/source/sharing.ts', 'key += `;', 'key = `;'],
  ['src/source/replicas.ts', 'response === undefined ? open() : pageOf(response)', 'open()'],
  [
    'src/source/sql/condition.ts',
    'compileCondition(table, guard, draft)',
    "compileCondition(table, guard, { ...draft, key: '' })",
  ],
  [
    'src/source/sql/condition.ts',
    'const build = compileCondition(table, condition, draft)\n    return filter',
    "const build = compileCondition(table, condition, { ...draft, key: '' })\n    return filter",
  ],
  [
    'src/source/sql/condition.ts',
    'related(build?.(slots))',
    "related(sql.join([sql.raw('true or '), build?.(slots) ?? sql`true`]))",
  ],
]

/** Strings that a collation takes as equal, records that are deleted softly, filters of MikroORM, and modes of MySQL. */
const plantedInSql: readonly Planted[] = [
  ['src/source/sql/condition.ts', 'filter === undefined ? parts : [filter, ...parts]', 'parts'],
  ['src/source/sql/related-question.ts', '[linked, isFirst, holds]', '[linked, holds]'],
  ['src/source/sql/aggregate-columns.ts', 'exact === undefined ? [side] : [side, exact]', '[side]'],
  ['src/source/sql/orm-engine.ts', 'parts.readHooks(mapped).conditions ? finds : reads', 'reads'],
  ['src/source/sql/orm-engine.ts', 'if (isReadByOrm) return', 'if (!isReadByOrm) return'],
  ['src/source/sql/mysql-connections.ts', 'forSqlstring(values, familyOf(connection))', 'values'],
  ['src/source/sql/mysql-connections.ts', 'connection.query(rightSession,', "connection.query('do 0',"],
  ['src/source/mikro-orm/database.ts', 'written(forSqlstring(value, family))', 'written(value)'],
  ['src/resource/parts/building.ts', ' || hidesRecords(scopes.modelOf(name))', ''],
  [
    'src/source/mikro-orm/describe.ts',
    'isHeir(metadata) || hasFilters(metadata, database)',
    'isHeir(metadata)',
  ],
  ['src/source/mikro-orm/describe.ts', 'isHeir(metadata) || hasFilters', 'hasFilters'],
  ['src/source/sequelize/describe.ts', 'table.scope.where !== undefined || ', ''],
  ['src/source/sequelize/describe.ts', " || stampOf(defined, 'deletedAt') !== undefined", ''],
  ['src/source/typeorm/describe.ts', ' || metadata.parentEntityMetadata !== undefined', ''],
  ['src/source/typeorm/describe.ts', 'metadata.deleteDateColumn !== undefined || ', ''],
  [
    'src/source/typeorm/foreign-keys.ts',
    '...ownedRelations(metadata).map',
    '...(metadata.parentEntityMetadata ? [] : ownedRelations(metadata)).map',
  ],
  ['src/source/mikro-orm/running.ts', "filters.get(entity) ?? (() => '')", "() => '1 = 1'"],
]

/** Records that are deleted softly by the service itself. */
const plantedInDeletion: readonly Planted[] = [
  ['src/source/wrapped.ts', 'translateCondition(of, model, by)', 'of'],
  ['src/source/wrapped.ts', 'both(condition(guard), ownGuard)', 'condition(guard)'],
  ['src/source/wrapped.ts', '{ ...translated, guard }', '{ ...translated, guard: to.guard }'],
  ['src/source/wrapped.ts', 'translateSelection(selection, model, by)', 'selection'],
  ['src/source/wrapped.ts', 'run(by.guard(filter))', 'run(filter)'],
  ['src/resource/parts/record.ts', 'yield* authoriseDeleted(access, scoped)', ''],
  ['src/resource/write/deleted.ts', 'if (!(yield* maySeeDeleted(refusal))) return false', ''],
  ['src/resource/write/operations.ts', 'yield* authoriseDeleted(access, scoped)', ''],
  ['src/resource/write/operations.ts', '{ target, scoped, among }', '{ target, scoped }'],
  ['src/resource/write/references.ts', ' && !hidesRecords(target)', ''],
  ['src/resource/write/run.ts', " && !(verb === 'delete' && model.softDelete !== undefined)", ''],
  ['src/resource/write/below.ts', ' && !mayBeHidden', ''],
  [
    'src/resource/parts/files.ts',
    'unscopedReads(source, withUnfinished(model))',
    'unscopedReads(source, model)',
  ],
  ['src/resource/parts/files.ts', 'left = left.filter((key) => !held.has(key))', 'break'],
  ['src/resource/write/files.ts', 'lost.filter((key) => !held.has(key))', 'lost'],
  ['src/resource/write/files.ts', 'uploads?.keep(uploaded)', 'uploads?.keep(held)'],
  ['src/resource/parts/records.ts', 'if (bytes > most)', 'if (bytes > Infinity)'],
  ['src/resource/write/matching.ts', 'if (error instanceof NoLongerMatching) return undefined', ''],
  [
    'src/host/serve.ts',
    'guarded(admitted(progress.resume), body, call)',
    'guarded(progress.resume, body, call)',
  ],
  ['src/auth/users/identifiers.ts', 'session.store(withUnfinished(model))', 'session.store(model)'],
  ['src/controller/permissions.ts', 'deleted: () => false', "deleted: 'public'"],
]

/** Requests that could be served are refused. */
const plantedInGate: readonly Planted[] = [
  ['src/operation/memory-budget.ts', 'used === held || ', ''],
  ['src/operation/memory-budget.ts', 'request.hasEnded === true || ', ''],
  ['src/source/sizing.ts', 'records * largestOf(fields) > SMALL', 'false'],
  ['src/source/sizing.ts', 'if (found.largest > ASSUMED) return', ''],
  ['src/host/gate.ts', 'isTooLong || ', ''],
  ['src/host/gate.ts', 'ahead > requests', 'waited > usual.requests * cost()'],
  ['src/source/sql/connection-line.ts', 'if (hasConnection && waiters.has(waiter))', 'if (false)'],
  ['src/source/sql/connection-line.ts', 'hasConnection && waiters', 'waiters'],
  ['src/source/replicas.ts', '(restUntil[at] ?? 0) > 0 ? 0 : queue.waited()', 'queue.waited()'],
]

const plantedFault = ([path, what, instead]: Planted): Unkeyed => {
  const text = readFileSync(join(project, path), 'utf8')
  const start = text.indexOf(what)
  if (start === -1 || text.includes(what, start + 1))
    throw new Error(`${path} must hold the text of this fault exactly once: ${what}`)
  return {
    path,
    start,
    end: start + what.length,
    text: instead,
    name: `${path}:${lineAt(text, start)} ${what.slice(0, 50)}`,
  }
}

/** Faults that make no difference to anybody, and why. */
export const harmless: ReadonlyMap<string, string> = new Map([
  [
    'src/resource/write/run.ts read(everything, …)',
    'Only an update without a scope reads here: one with a scope runs in a transaction.',
  ],
  [
    'src/resource/write/deleted.ts read(everything, …)',
    'The statement that was refused had the scope, so the record that it would have changed is within it.',
  ],
  [
    'src/source/sql/condition.ts hasRelation(…, everything)',
    'It decides only which statements get a name, as test/source/drizzle/named.test.ts asserts.',
  ],
  [
    'src/source/sql/store.ts hasRelation(…, everything)',
    'It decides only which statements get a name, as test/source/drizzle/named.test.ts asserts.',
  ],
  [
    'src/source/sql/mysql-write.ts remove(…, everything)',
    'The record was found and locked under the guard right before, in the same transaction.',
  ],
  [
    'src/source/sql/mysql-write.ts held(…, everything)',
    'The delete that follows has the guard, and the record is shown only if it was deleted.',
  ],
  [
    'src/source/soft-deletion.ts read(…, everything)',
    'The deletion that follows has the guard, and the record is shown only if it was deleted.',
  ],
  [
    'src/source/typeorm/records.ts read(…, everything) #3',
    'The delete that follows has the guard, and the record is shown only if it was deleted.',
  ],
  [
    'src/source/typeorm/records.ts remove(…, everything) #2',
    'The record was found and locked under the guard right before, in the same transaction.',
  ],
  [
    'src/source/versions.ts update(…, everything) #2',
    'The record was found and locked under the guard right before, in the same transaction.',
  ],
  [
    'src/resource/write/files.ts uploads?.keep(uploaded)',
    'Nothing fails after it, so that no upload is dropped: a record that cannot be shown is a 204.',
  ],
  [
    'src/resource/write/many.ts assertSize(records, sent)',
    'What is read next counts on from there, and is refused the same: it saves that statement.',
  ],
  [
    'src/resource/read/file.ts read(everything, …)',
    'It reads for a signed address alone, which has no scope.',
  ],
  [
    'src/source/sql/condition.ts holdsAlways(…, everything)',
    'It decides only which statements get a name, as test/source/drizzle/named.test.ts asserts.',
  ],
  [
    "src/resource/write/run.ts  && !(verb === 'delete' && model.softDelete !== un",
    'A deleted record keeps its files, and files that a record has are never removed: it saves the question.',
  ],
])

const withKeys = (all: readonly Unkeyed[]): readonly Fault[] => {
  const seen = new Map<string, number>()
  return all.map((fault) => {
    const name = fault.name.replace(/:\d+/, '')
    const number = (seen.get(name) ?? 0) + 1
    seen.set(name, number)
    return { ...fault, key: number === 1 ? name : `${name} #${number}` }
  })
}

/**
 * Every fault: a guard is forgotten in each place that passes one on, what else would let one tenant reach another's, and
 * what would refuse requests without a reason.
 */
export const faults = (): readonly Fault[] => {
  const sources = readSources(join(project, 'src'))
    .map(({ path, text }) => ({ path: `src/${path}`, text }))
    .filter(({ path }) => rooms.some((room) => path.startsWith(room)))
  return withKeys([
    ...sources.flatMap((file) => [...forgottenIn(file), ...forgettingActs(file)]),
    ...[...planted, ...plantedInSql, ...plantedInDeletion, ...plantedInGate].map(plantedFault),
  ])
}
