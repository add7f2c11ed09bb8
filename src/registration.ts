import { controllersFor } from './controllers.ts'
import { assertHealthFree, healthOperationsOf } from './health-checks.ts'
import { inspection } from './inspection.ts'
import type { Model } from './model/model.ts'
import type { Operation } from './operation/operation.ts'
import { operationsOf } from './resource/index.ts'
import { type Resource, resourcesOf } from './resource/resource.ts'
import { shownRow } from './resource/shown-files.ts'
import { customBodiesOf } from './schema/custom/custom-bodies.ts'
import type { Setup } from './setup.ts'
import { assertFree, assertTables } from './start.ts'
import { customPowers, withOwnRecord } from './users.ts'

/** What is served once everything is registered. */
export interface Registration {
  /** With what users may write of their own record. */
  readonly models: readonly Model[]
  readonly operations: readonly Operation[]
  /** Where controllers were found, for the log. */
  readonly controllers: string
}

/**
 * Finds the controllers, makes the operations of authentication and of all models, and mounts them.
 *
 * @throws StartError for what cannot be served
 */
export const register = async (setup: Setup): Promise<Registration> => {
  const { host, options, authentication, files, serve } = setup
  const { models: source, customSchemas = {}, isAsync = true } = options
  const { auth, users, notes: authNotes } = authentication
  assertFree(host, setup.models, auth?.operations)
  assertHealthFree(setup)
  const { controllers: found, summary } = await controllersFor(options, setup.models, setup.calling)
  const {
    models,
    controllers,
    notes: userNotes,
  } = withOwnRecord({ models: setup.models, controllers: found }, users, options)
  if (inspection()?.checksStorage ?? true) {
    await assertTables(source, users === undefined ? models : [...models, users.model], host.log)
    await files.check()
  }
  const { bodies, notes } = await customBodiesOf(customSchemas, models, isAsync)
  const surroundings = {
    ...{ source, controllers, commits: setup.commits, bodies, files: files.setup, media: setup.media },
    ...(auth && { authenticate: auth.authenticate, writeProblems: auth.writeProblems }),
  }
  if (files.readsForms) await host.readForms(files.setup)
  const resources = resourcesOf(models, surroundings, setup.limits)
  showUsers(setup, resources)
  const operations = Object.freeze([...(auth?.operations ?? []), ...resources.flatMap(operationsOf)])
  await host.mount(operations, serve)
  const health = healthOperationsOf(setup)
  if (health.length > 0) await host.mount(health, setup.unobserved)
  for (const note of [...notes, ...authNotes, ...userNotes, ...customPowers(users, bodies)])
    host.log.warn(note)
  return { models, operations, controllers: summary }
}

/** Replies of authentication show users as those of their model do. */
const showUsers = ({ authentication: { auth, users } }: Setup, resources: readonly Resource[]): void => {
  const ofUsers = resources.find(({ model: { name } }) => name === users?.model.name)
  if (ofUsers !== undefined) auth?.showUsersBy?.((row) => shownRow(ofUsers, row))
}
