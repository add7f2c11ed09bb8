import type { Model } from '../model/model.ts'
import type { BodyBounds } from '../operation/operation.ts'
import type { Events } from './events.ts'
import type { Passwords } from './password/passwords.ts'
import type { Sessions } from './session/sessions.ts'
import type { AuthSettings } from './settings.ts'
import type { RegistrationLimit, Throttle } from './throttle.ts'
import type { Tokens } from './token/tokens.ts'
import type { Accounts } from './user/accounts.ts'
import type { UserModel } from './user/user-model.ts'

/** What the five operations work with. */
export interface AuthParts {
  readonly settings: AuthSettings
  readonly user: UserModel
  readonly accounts: Accounts
  readonly tokens: Tokens
  readonly sessions: Sessions
  readonly passwords: Passwords
  readonly throttle: Throttle
  readonly registrations: RegistrationLimit
  readonly events: Events
  /** The names of the models that are served: a refusal names no other. */
  readonly served: ReadonlySet<Model['name']>
  /** What bodies are held to. */
  readonly bodyBounds: BodyBounds
}
