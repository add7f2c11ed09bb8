import { execFileSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

/** What the provider says about the user who is logged in there. */
export type Identity = Readonly<Record<string, unknown>> & { readonly sub: string }

/** An OpenID Connect provider with one client, whose user is always logged in. */
export interface Provider {
  readonly issuer: string
  /** The file of its certificate, for NODE_EXTRA_CA_CERTS. */
  readonly certificate: string
  /** The user of the next login. */
  user: Identity
  /** Claims that replace those of the next ID tokens: a provider that lies. */
  lie: Readonly<Record<string, unknown>>
  /** Whether it accepts a code twice. */
  isLenient: boolean
  close(): Promise<void>
}

interface Grant {
  readonly user: Identity
  readonly nonce: string | null
  readonly challenge: string | null
  readonly redirect: string
}

export const client = { id: 'desk', secret: 'a secret of the client' }

/** A key and a certificate for localhost, made by openssl. */
const certificateIn = (folder: string): { key: Buffer; cert: Buffer; file: string } => {
  const [keyFile, file] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  execFileSync('openssl', ['req', '-x509', ...made, ...subject, '-keyout', keyFile, '-out', file], {
    stdio: 'pipe',
  })
  return { key: readFileSync(keyFile), cert: readFileSync(file), file }
}

/** Starts a provider on a free port. */
export const startProvider = async (): Promise<Provider> => {
  const folder = mkdtempSync(join(tmpdir(), 'modelrest-provider-'))
  const { key, cert, file } = certificateIn(folder)
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }] }
  const grants = new Map<string, Grant>()

  const authorize = ({ searchParams: asked }: URL): string => {
    const code = randomUUID()
    const redirect = asked.get('redirect_uri') ?? ''
    const { user } = provider
    grants.set(code, { user, nonce: asked.get('nonce'), challenge: asked.get('code_challenge'), redirect })
    const url = new URL(redirect)
    url.searchParams.set('code', code)
    url.searchParams.set('state', asked.get('state') ?? '')
    url.searchParams.set('iss', provider.issuer)
    return url.href
  }

  const tokens = async (form: URLSearchParams): Promise<object | undefined> => {
    const code = form.get('code') ?? ''
    const grant = grants.get(code)
    if (!provider.isLenient) grants.delete(code)
    const verifier = form.get('code_verifier') ?? ''
    const isTheirs =
      form.get('client_id') === client.id &&
      form.get('client_secret') === client.secret &&
      form.get('redirect_uri') === grant?.redirect &&
      createHash('sha256').update(verifier).digest('base64url') === grant.challenge
    if (grant === undefined || !isTheirs) return undefined
    const claims = { ...grant.user, nonce: grant.nonce, iss: provider.issuer, aud: client.id }
    const id_token = await new SignJWT({ ...claims, ...provider.lie })
      .setProtectedHeader({ alg: 'ES256', kid: 'one' })
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(privateKey)
    return { access_token: randomUUID(), token_type: 'Bearer', expires_in: 300, id_token }
  }

  const server: Server = createServer({ key, cert }, async (request, response) => {
    const url = new URL(request.url ?? '/', provider.issuer)
    const answer = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (url.pathname === '/authorize') return response.writeHead(302, { location: authorize(url) }).end()
    if (url.pathname === '/jwks') return answer(200, jwks)
    if (url.pathname === '/token') {
      const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString())
      const found = await tokens(form)
      return found === undefined ? answer(400, { error: 'invalid_grant' }) : answer(200, found)
    }
    return answer(200, {
      ...{ issuer: provider.issuer, jwks_uri: `${provider.issuer}/jwks` },
      ...{
        authorization_endpoint: `${provider.issuer}/authorize`,
        token_endpoint: `${provider.issuer}/token`,
      },
      ...{ response_types_supported: ['code'], subject_types_supported: ['public'] },
      ...{ id_token_signing_alg_values_supported: ['ES256'], code_challenge_methods_supported: ['S256'] },
      authorization_response_iss_parameter_supported: true,
    })
  })
  server.listen(0)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address !== 'object') throw new Error('The provider has no port.')
  const provider: Provider = {
    issuer: `https://localhost:${address.port}`,
    certificate: file,
    user: { sub: 'none' },
    lie: {},
    isLenient: false,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
      rmSync(folder, { recursive: true })
    },
  }
  return provider
}
