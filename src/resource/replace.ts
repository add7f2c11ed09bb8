import type { ScopedCall } from '../controller/scope.ts'
import type { Operation } from '../operation/operation.ts'
import { type Steps, wait } from '../operation/steps.ts'
import type { Row } from '../source/source.ts'
import { type Body, filledBody, namesIn } from './body.ts'
import { operationOn } from './describe.ts'
import { withoutUnchangedFiles } from './files.ts'
import { assertKnown, assertMatch, matchOf } from './if-match.ts'
import { findPermitted } from './record.ts'
import { absentFields, withoutUnchanged } from './replaced.ts'
import { recordReply } from './replies.ts'
import type { Resource } from './resource.ts'
import { readingTogether } from './together/read.ts'
import { changing, readConditions, storing } from './write.ts'

/** `PUT /products/{id}`: replaces the record, and never creates one. */
export const replace = (resource: Resource): Operation => {
  const { model, media, bodies } = resource
  const read = function* (sent: unknown, scoped: ScopedCall, found: Row): Steps<Body> {
    const otherFiles =
      media === undefined ? sent : yield* withoutUnchangedFiles(resource, media, sent, () => wait(found))
    // Otherwise read-only fields that have changed, such as the version, would be refused instead.
    const match = matchOf(resource, scoped.call)
    assertMatch(match, found)
    // A refusal of the body would tell that the tag is right.
    yield* assertKnown(resource, scoped, { match, seen: found })
    const changed = yield* withoutUnchanged(resource, otherFiles, scoped, found)
    const filled = bodies.isCustom.replace ? changed : filledBody(model, changed, scoped.guard)
    return { values: yield* wait(bodies.replace(filled, found)), sent: namesIn(changed) }
  }
  const act = storing(resource, 'replace', {
    ask: readConditions(resource),
    find: findPermitted(resource, 'replace'),
    read: readingTogether(resource, 'replace', read, (_scoped, found) => wait(found)),
    store: changing(resource, 'replace', (values) => ({ ...absentFields(resource, values), ...values })),
    reply: (written) => recordReply(resource, written),
  })
  return operationOn(resource, 'replace', act)
}
