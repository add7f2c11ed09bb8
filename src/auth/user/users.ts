import { StartError, suggest } from '../../error/start-error.ts'
import { type Field, fieldOf, type Model } from '../../model/model.ts'
import { allowedFields } from './allowed-fields.ts'
import { identifiersOf } from './identifiers.ts'
import { passwordColumnOf, withPasswordHidden } from './password-column.ts'

/** The users of an application, whichever way they log in. */
export interface Users {
  /** Their model as it is shown: nobody sees the password. */
  readonly model: Model
  /** The only field of its key. `undefined`: its key has several. */
  readonly key: Field | undefined
  /** What a user may be known by. */
  readonly identifiers: readonly Field[]
  /** The column that holds the hash. */
  readonly password: Field | undefined
  /** The columns that users may fill in themselves, at registration and in their own record. */
  readonly allowed: readonly Field[]
}

/** Settings that the user model follows from. */
export interface UserSettings {
  /** `LOGIN_FIELDS` */
  readonly loginFields: readonly string[] | undefined
  /** `REGISTER_FIELDS` */
  readonly registerFields: readonly string[] | undefined
}

/** What a user model is called where the application does not say. */
const USER = 'User'

/**
 * The user model among those that a source describes: the one that `AUTH_USER_MODEL` names, else `User` where it has a
 * password.
 *
 * @param userModel `app.Model`
 * @throws StartError where there is none of that name
 */
export const findUserModel = (models: readonly Model[], userModel: string | undefined): Model | undefined => {
  if (userModel === undefined) {
    return models.find((model) => model.name === USER && passwordColumnOf(model) !== undefined)
  }
  const named = models.find((model) => nameOf(model) === userModel)
  if (named !== undefined) return named
  throw new StartError(
    `The setting AUTH_USER_MODEL: there is no model ${userModel}.${suggest(userModel, models.map(nameOf))}`,
  )
}

/** A model's name as `AUTH_USER_MODEL` has it. */
export const nameOf = ({ app, name }: Pick<Model, 'app' | 'name'>): string => `${app}.${name}`

/**
 * The users of a model.
 *
 * @param configured the model with what `modelConfig` says of it
 * @throws StartError for a name in the settings that is no such column
 */
export const usersOf = (configured: Model, { loginFields, registerFields }: UserSettings): Users => {
  const model = withPasswordHidden(configured)
  const password = passwordColumnOf(model)
  const identifiers = identifiersOf(model, loginFields)
  const [name = '', ...more] = model.primaryKey
  return Object.freeze<Users>({
    ...{ model, password, identifiers },
    key: more.length === 0 ? fieldOf(model, name) : undefined,
    allowed: allowedFields(model, { identifiers, password, registerFields }),
  })
}
