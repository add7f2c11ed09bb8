import type { Cache } from '../cache/cache.ts'
import type { SettingRow } from '../error/setting.ts'
import type { PasswordValidator } from './password/validator.ts'
import type { ServiceAuth } from './service-auth.ts'
import { serviceAuthTable } from './service-auth-table.ts'

/** Settings of authentication. */
export interface AuthenticationSettings {
  /** Tokens, cookies, login and registration. */
  readonly SERVICE_AUTH?: ServiceAuth
  /** The model of users: `app.Model`. @default the model User */
  readonly AUTH_USER_MODEL?: string
  /** What new passwords must pass. @default length, common passwords, likeness to the user's own fields, all digits */
  readonly AUTH_PASSWORD_VALIDATORS?: readonly PasswordValidator[]
  /** Where it is kept what is revoked and how many logins failed. @default the memory of this process */
  readonly CACHE?: Cache
  /** The application is being developed: cookies go over HTTP too. @default whether NODE_ENV is `development` */
  readonly DEBUG?: boolean
}

export const authSettings: { readonly [Name in keyof Required<AuthenticationSettings>]: SettingRow } = {
  SERVICE_AUTH: {
    type: 'object',
    keys: serviceAuthTable,
    meaning: 'Tokens, cookies, login and registration: the table below.',
  },
  AUTH_USER_MODEL: {
    type: 'string',
    otherwise: 'the model `User`',
    meaning: 'The model of users, with its app: `shop.Customer`.',
  },
  AUTH_PASSWORD_VALIDATORS: {
    type: 'list of functions',
    otherwise: 'length, common passwords, likeness to the own fields, all digits',
    meaning: 'What new passwords must pass.',
  },
  CACHE: {
    type: 'object',
    functions: ['get', 'getMany', 'set', 'add', 'count', 'delete'] satisfies readonly (keyof Cache)[],
    otherwise: 'the memory of this process',
    meaning: 'Where it is kept what is revoked and how many logins failed.',
  },
  DEBUG: {
    type: 'boolean',
    otherwise: 'whether `NODE_ENV` is `development`',
    meaning: 'The application is being developed: cookies go over HTTP too.',
  },
}
