import { afterEach, beforeEach, expect, it } from 'vitest'
import { compareAll, type Rights } from '../../stage/access-answers.ts'
import { type Attempt, inOrder } from '../attempts.ts'
import {
  attemptsOn,
  type Desk,
  documentOf,
  type Organisation,
  openDesk,
  organisationOf,
  type User,
} from './stage.ts'

let desk: Desk
let acme: Organisation

beforeEach(async () => {
  desk = await openDesk()
  acme = await organisationOf(desk, 'Acme')
})
afterEach(() => desk.stop())

/** Of users, tickets and what belongs to them: the first are Acme's, and the last ones are those of another organisation. */
const KEYS = [1, 2, 3, 4, 5]

const callers: Readonly<Record<string, () => Promise<Pick<User, 'send'>>>> = {
  anonymous: async () => desk,
  newcomer: () => desk.user('Newcomer'),
  requester: async () => acme.requester,
  agent: async () => acme.agent,
  admin: async () => acme.admin,
}

it.each(Object.keys(callers))('tells %s what each operation meets', async (kind) => {
  await organisationOf(desk, 'Other')
  const caller = (await callers[kind]?.()) ?? expect.unreachable()
  const attempts: Attempt[] = []
  for (const key of KEYS) attempts.push(...(await attemptsOn(desk, key, 'x')))
  const met = await compareAll(
    await documentOf(desk),
    inOrder(attempts),
    async () => (await caller.send('GET', '/access')).json['models'] as Rights,
    ({ method, path, body }) => caller.send(method, path, body),
  )
  // The administrator meets a record with all that is allowed, so that the comparison says something.
  const onlyMissing = [...met].filter(([, found]) => [...found].join() === 'allowed 404').map(([id]) => id)
  if (kind === 'admin') expect(onlyMissing).toEqual(['joinOrganisations'])
})
