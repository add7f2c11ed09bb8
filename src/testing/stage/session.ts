import { assertKnown } from '../../error/errors.ts'
import { cookieJar } from './cookie-jar.ts'
import { type SendRequest, type TestRequests, testRequests } from './requests.ts'
import { responseText, type TestResponse } from './response.ts'

/** The fields of a user to register and log in. */
export type TestUserFields = Readonly<Record<string, unknown>> & { readonly password?: string }

/** The options of `as`. */
export interface TestUserOptions {
  /**
   * Whether the client keeps and sends cookies instead of the token, and `Sec-Fetch-Site: same-origin`, as a browser on a
   * page of your API does. @default false
   */
  readonly cookies?: boolean
}

/** A client that sends requests as a logged-in user. */
export interface TestUser extends TestRequests {
  /** The user's record as `POST /auth/login` returns it, with its key. */
  readonly user: Readonly<Record<string, unknown>>
  /** The access token. */
  readonly access: string
  /** The refresh token. */
  readonly refresh: string
}

type OpenedSession = Pick<TestUser, 'user' | 'access' | 'refresh'>

/** The client that opens a session. */
interface Opener {
  readonly base: string
  readonly requests: TestRequests
  /** The headers that it sends with every request. */
  readonly sent: Readonly<Record<string, string>>
}

const usualPassword = 'correct horse battery staple'

/** @throws Error if the user can be neither registered nor logged in */
export const openSession = async (
  exchange: SendRequest,
  { base, requests, sent }: Opener,
  user: TestUserFields,
  options: TestUserOptions,
): Promise<TestUser> => {
  for (const name of Object.keys(options)) assertKnown('as(): unknown option', name, ['cookies'])
  const response = await registeredOrLoggedIn(requests, `${base}/auth`, { password: usualPassword, ...user })
  const { user: record, access, refresh } = response.json
  if (access === undefined)
    throw new Error('as(): the new user is not active, so the registration returned no tokens.')
  // Another caller must not take precedence.
  const { authorization: _authorization, cookie: _cookie, ...headers } = sent
  const own = options.cookies
    ? withCookies(exchange, headers, response, `${base}/auth/login`)
    : testRequests(exchange, () => ({ ...headers, authorization: `Bearer ${access}` }))
  return Object.freeze<TestUser>({ ...own, ...{ user: record, access, refresh } })
}

const registeredOrLoggedIn = async (
  requests: TestRequests,
  auth: string,
  user: TestUserFields,
): Promise<TestResponse<OpenedSession>> => {
  const registered = await requests.post<OpenedSession>(`${auth}/register`, user)
  if (registered.status === 201) return registered
  const loggedIn = await login(requests, auth, user)
  if (loggedIn?.status === 200) return loggedIn
  // With REGISTRATION: false, only the login exists.
  if (registered.status === 404 && (loggedIn?.status ?? 404) === 404)
    throw new Error(
      `as() needs the option auth: true: POST ${auth}/register is 404. If the API has another path, use testClient(app, { base: '/api' }). For your own authentication, send its headers: with({ authorization: '…' }).`,
    )
  const responses = [
    `register: ${responseText(registered)}`,
    ...(loggedIn ? [`login: ${responseText(loggedIn)}`] : []),
  ]
  throw new Error(`as(): the user could not be registered or logged in.\n${responses.join('\n')}`)
}

/** Tries one field after another: a login by a field that does not identify users returns 422. */
const login = async (
  requests: TestRequests,
  auth: string,
  { password, ...user }: TestUserFields,
): Promise<TestResponse<OpenedSession> | undefined> => {
  let response: TestResponse<OpenedSession> | undefined
  for (const [name, value] of Object.entries(user)) {
    if (typeof value !== 'string') continue
    response = await requests.post<OpenedSession>(`${auth}/login`, { [name]: value, password })
    if (response.status !== 422) break
  }
  return response
}

/** A client that keeps cookies as a browser does. */
const withCookies = (
  exchange: SendRequest,
  headers: Readonly<Record<string, string>>,
  login: TestResponse<unknown>,
  loginPath: string,
): TestRequests => {
  const jar = cookieJar()
  jar.keep(login.headers, loginPath)
  if (jar.isEmpty())
    throw new Error('as(): cookies: true needs cookies, which SERVICE_AUTH.SET_COOKIES: false turns off.')
  return testRequests(
    exchange,
    (path) => {
      const cookie = jar.headerFor(path)
      return { 'sec-fetch-site': 'same-origin', ...headers, ...(cookie !== '' && { cookie }) }
    },
    (response, path) => jar.keep(response.headers, path),
  )
}
