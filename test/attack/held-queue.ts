import { vi } from 'vitest'
import { argon2, hashParameters } from '../../src/auth/passwords/passwords.ts'
import { type AuthService, ada } from '../stage/auth-service.ts'
import { type Gate, gate } from './held.ts'

/** The next password that is compared waits for its turn until the gate opens: so it is where many log in. */
export const heldQueue = (): Gate => {
  const held = gate()
  const { verify } = argon2()
  vi.spyOn(argon2(), 'verify').mockImplementationOnce(async (...given) => {
    await held.pass()
    return await verify(...given)
  })
  return held
}

/** The queue may be held: this hash waits for no turn. */
export const setPassword = async ({ execute }: AuthService, password: string): Promise<void> =>
  execute(
    `update users set password = '${await argon2().hash(password, hashParameters)}' where email = '${ada.email}'`,
  )
