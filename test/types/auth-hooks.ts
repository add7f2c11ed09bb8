// Hooks of SERVICE_AUTH may ask for the request of their host and for a user with certain fields, without a cast.
import type { FastifyRequest } from 'fastify'
import { type AuthHook, defineSettings, HttpError, type ServiceAuth } from 'modelrest'

const withRequest: AuthHook<FastifyRequest> = async (_user, request) => {
  request.log.info('logged in')
}

const withUser = (user: { readonly id: number }): void => {
  if (user.id === 1) throw new HttpError(403, 'Not today.')
}

export const auth: ServiceAuth<FastifyRequest> = {
  ON_LOGIN: (_user, request) => request.log.info(request.ip),
}

export const settings = defineSettings({
  SECRET_KEY: process.env['SECRET_KEY'],
  SERVICE_AUTH: {
    ...auth,
    ON_REGISTER: withRequest,
    ON_REFRESH: withUser,
    ON_LOGOUT: (user, request: FastifyRequest) => request.log.info(user),
  },
})

const withTenant = (user: { readonly tenant_id: number }) => ({ tenant: user.tenant_id })

export const withClaims: ServiceAuth = { CLAIMS: withTenant }
export const laterClaims: ServiceAuth = { claims: async () => undefined, passwordChange: true }
// @ts-expect-error: claims have names
export const wrongClaims: ServiceAuth = { CLAIMS: () => 'admin' }

export const misspelt = defineSettings({
  // @ts-expect-error: there is no such setting
  SERVICE_AUTH: { JWT_ACCES_EXP: 900 },
})
